/* A pane that shows a text of any length: only the blocks in sight are in the page. */

const BLOCK = 1200;
const LONGEST_BLOCK = 16000;
const BEYOND_SIGHT = 600;

/** Cut a text into blocks at line ends where there are some, as units of the string. */
function cutBlocks(string) {
  const starts = [0];
  for (let at = 0; at + BLOCK < string.length; ) {
    let end = string.indexOf("\n", at + BLOCK) + 1;
    if (end === 0 || end > at + LONGEST_BLOCK) {
      // A line without end: cut it behind a sentence or a word, or where it must be.
      const part = string.slice(at + BLOCK, at + LONGEST_BLOCK);
      const cut = part.lastIndexOf(". ") + 1 || part.lastIndexOf(" ");
      end = cut > 0 ? at + BLOCK + cut + 1 : at + LONGEST_BLOCK;
      const code = string.charCodeAt(end);
      if (code >= 0xdc00 && code <= 0xdfff) end++;
    }
    if (end >= string.length) break;
    starts.push(end);
    at = end;
  }
  return starts;
}

class Pane {
  /** `fill(from, to, element)` puts the characters from `from` to `to`, marked, into an element. */
  constructor(root, fill, drawMap) {
    this.root = root;
    this.view = root.querySelector(".scroll");
    this.map = root.querySelector(".map");
    this.fill = fill;
    this.drawMap = drawMap;
    this.sheet = document.createElement("div");
    this.sheet.className = "sheet";
    this.view.append(this.sheet);
    this.blocks = new Map();
    this.show(new CountedText(""));
    this.view.addEventListener("scroll", () => this.later());
    this.map.addEventListener("click", (event) => {
      this.goTo(Math.floor((event.offsetY / this.map.clientHeight) * this.text.length));
    });
    new ResizeObserver(() => {
      if (this.view.clientWidth !== this.width) this.estimate();
      this.refresh();
    }).observe(this.view);
  }

  show(text) {
    this.text = text;
    this.starts = cutBlocks(text.string);
    this.width = 0;
    this.view.scrollTop = 0;
    this.estimate();
    this.refresh();
  }

  end(block) {
    return block + 1 < this.starts.length ? this.starts[block + 1] : this.text.string.length;
  }

  /** Guess the height of every block; a block's true height replaces the guess once it was in sight. */
  estimate() {
    this.width = this.view.clientWidth;
    const perLine = Math.max(20, (this.width - 32) / 7.3);
    const string = this.text.string;
    this.heights = new Float64Array(this.starts.length);
    for (let block = 0; block < this.starts.length; block++) {
      let lines = 0;
      const end = this.end(block);
      for (let at = this.starts[block]; at < end; ) {
        let next = string.indexOf("\n", at);
        if (next < 0 || next > end) next = end;
        lines += Math.max(1, Math.ceil((next - at) / perLine));
        at = next + 1;
      }
      this.heights[block] = lines * 25;
    }
    this.stack();
  }

  stack() {
    this.tops = new Float64Array(this.heights.length + 1);
    for (let i = 0; i < this.heights.length; i++) this.tops[i + 1] = this.tops[i] + this.heights[i];
  }

  blockAt(y) {
    let low = 0, high = this.starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.tops[middle] <= y) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  later() {
    if (this.pending) return;
    this.pending = requestAnimationFrame(() => {
      this.pending = 0;
      this.draw();
    });
  }

  /** Draw anew, because marks changed. */
  refresh() {
    const anchor = this.anchor();
    this.forget();
    this.draw(anchor);
  }

  /** Drop what is drawn; the next drawing starts anew. */
  forget() {
    this.blocks.clear();
    this.sheet.replaceChildren();
  }

  /** Where the view is: a block, and how far below its top. */
  anchor() {
    const block = this.blockAt(this.view.scrollTop);
    return { block, below: this.view.scrollTop - this.tops[block] };
  }

  /** Draw the blocks in sight; what is at the anchor stays there while heights become known. */
  draw(anchor = this.anchor()) {
    const sight = this.view.clientHeight;
    for (let pass = 0; pass < 5; pass++) {
      const top = this.tops[anchor.block] + anchor.below;
      const first = this.blockAt(top - BEYOND_SIGHT);
      const last = this.blockAt(top + sight + BEYOND_SIGHT);
      this.fillBlocks(first, last);
      if (!this.measure()) break;
    }
    // Room below the end, so that the last passage can stand as high as its partner in the other pane.
    this.sheet.style.height = `${this.tops[this.starts.length] + sight * 0.7}px`;
    for (const [block, element] of this.blocks) element.style.top = `${this.tops[block]}px`;
    const wanted = this.tops[anchor.block] + anchor.below;
    if (Math.abs(this.view.scrollTop - wanted) > 0.5) this.view.scrollTop = wanted;
    this.drawMap(this);
  }

  fillBlocks(first, last) {
    for (const [block, element] of this.blocks) {
      if (block < first || block > last) {
        element.remove();
        this.blocks.delete(block);
      }
    }
    for (let block = first; block <= last; block++) {
      if (this.blocks.has(block)) continue;
      const element = document.createElement("div");
      element.className = "block";
      this.fill(this.text.character(this.starts[block]), this.text.character(this.end(block)), element);
      this.sheet.append(element);
      this.blocks.set(block, element);
    }
  }

  measure() {
    let changed = false;
    for (const [block, element] of this.blocks) {
      const height = element.offsetHeight;
      if (Math.abs(height - this.heights[block]) < 0.5) continue;
      this.heights[block] = height;
      changed = true;
    }
    if (changed) this.stack();
    return changed;
  }

  /** Bring a character into the upper part of the view. */
  goTo(at) {
    const unit = this.text.unit(at);
    let block = 0;
    for (let low = 0, high = this.starts.length - 1; low <= high; ) {
      const middle = (low + high) >> 1;
      if (this.starts[middle] <= unit) { block = middle; low = middle + 1; }
      else high = middle - 1;
    }
    const margin = Math.min(90, this.view.clientHeight / 4);
    this.draw({ block, below: -margin });
    const below = this.offsetIn(block, unit - this.starts[block]);
    if (below > 0) this.draw({ block, below: below - margin });
  }

  /** How far below the top of its block a unit of text stands. */
  offsetIn(block, unit) {
    const element = this.blocks.get(block);
    if (!element) return 0;
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    for (let node; (node = walker.nextNode()); unit -= node.length) {
      if (unit >= node.length) continue;
      const range = document.createRange();
      range.setStart(node, unit);
      range.setEnd(node, unit + 1);
      return range.getBoundingClientRect().top - element.getBoundingClientRect().top;
    }
    return 0;
  }

  /** The characters in sight, as a share of the text. */
  get sight() {
    const share = (y) => {
      const block = this.blockAt(y);
      const part = Math.min(1, Math.max(0, (y - this.tops[block]) / (this.heights[block] || 1)));
      return (this.starts[block] + part * (this.end(block) - this.starts[block])) / (this.text.string.length || 1);
    };
    return [share(this.view.scrollTop), share(this.view.scrollTop + this.view.clientHeight)];
  }
}
