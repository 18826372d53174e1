// SPDX-License-Identifier: Apache-2.0
// Lists results that are ticked as accepted, and the command that makes them goldens. A page cannot
// change files, so the user runs the command.

/** Whether --update would copy the result: it is readable and has not passed. */
const canAccept = (entry) => hasResult(entry.pair) &&
                             ["failed", "extra"].includes(entry.status);

// Quotes a word for a shell. Control characters are escaped: a terminal would obey them when they
// are pasted.
function shellWord(text) {
  const word = text.startsWith("-") ? `./${text}` : text;
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  if (!/[\u0000-\u001f\u007f-\u009f]/.test(word)) return `'${word.replaceAll("'", "'\\''")}'`;
  const escaped = word.replace(/[\\']/g, "\\$&")
      .replace(/[\u0000-\u001f\u007f-\u009f]/g,
               (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return `$'${escaped}'`;
}

// If a name is not UTF-8, the report contains this character instead of its bytes.
const isLossy = (path) => path.includes("\ufffd");

function goldenPath(entry, command) {
  return entry.pair.golden || (command.golden ? `${command.golden}/${entry.name}` : null);
}

/** @returns {text, left}: a line for each pair, and the number of pairs without one. */
function acceptCommand(accepted, command) {
  const lines = [];
  let left = 0;
  for (const entry of accepted) {
    const golden = goldenPath(entry, command), result = entry.pair.result;
    if (!golden || isLossy(golden) || isLossy(result)) ++left;
    else lines.push(`${command.update} ${shellWord(golden)} ${shellWord(result)}`);
  }
  return {text: lines.join("\n"), left};
}

function showAccepted(accepted) {
  const count = accepted.size;
  byId("accept-count").textContent = count === 0 ? "Nothing accepted" : `${count} accepted`;
  byId("accept-copy").disabled = byId("accept-clear").disabled = count === 0;
}

async function copyText(text, field) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    field.select();  // the clipboard is refused unless the page is a secure context
    return document.execCommand("copy");
  }
}

async function showAcceptCommand(accepted, command) {
  const {text, left} = acceptCommand(accepted, command);
  const field = byId("command-text");
  field.value = text;
  byId("command").showModal();
  const isCopied = text !== "" && await copyText(text, field);
  const omitted = left ? ` ${left} left out: a name is not UTF-8, or no golden is named.` : "";
  byId("command-note").textContent =
      (isCopied ? "Copied. Run it where compare ran." : "Copy it, and run it where compare ran.") +
      omitted;
}
