// SPDX-License-Identifier: Apache-2.0
// Alternates golden and result. It starts by itself unless the system requests less motion. More
// than three flashes a second can harm people, so the initial rate is lower.

const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

class Flicker {
  constructor(stage) {
    this.stage = stage;
    this.timer = 0;
    byId("flicker-play").addEventListener("click", () => this.toggle());
    byId("flicker-swap").addEventListener("click", () => this.swap());
    byId("rate").addEventListener("input", () => {
      byId("rate-text").textContent = `${byId("rate").value} Hz`;
      if (this.timer) this.start();
    });
  }

  /** Called when the mode changes. */
  enter(isFlicker) {
    if (isFlicker && !reducedMotion.matches) this.start();
    else this.stop();
  }

  toggle() {
    if (this.timer) this.stop();
    else this.start();
  }

  start() {
    clearInterval(this.timer);
    this.timer = setInterval(() => this.turn(), 1000 / Number(byId("rate").value));
    this.show();
  }

  stop() {
    clearInterval(this.timer);
    this.timer = 0;
    this.show();
  }

  show() {
    byId("flicker-play").textContent = this.timer ? "Pause" : "Play";
    setPressed(byId("flicker-play"), Boolean(this.timer));
  }

  /** Switches by hand: the picture stays until the next switch. */
  swap() {
    this.stop();
    this.turn();
    speak(this.stage.phase ? "Result" : "Golden");
  }

  turn() {
    this.stage.phase = 1 - this.stage.phase;
    this.stage.redraw();
  }
}
