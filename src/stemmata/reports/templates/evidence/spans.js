/* Spans of characters as flat arrays: start, end, start, end, … Offsets count characters (code points). */

/** The union of spans given as [start, end] pairs, sorted and disjoint. */
function union(pairs) {
  const sorted = [...pairs].sort((a, b) => a[0] - b[0]);
  const flat = [];
  for (const [start, end] of sorted) {
    if (end <= start) continue;
    const last = flat.length - 1;
    if (last > 0 && start <= flat[last]) flat[last] = Math.max(flat[last], end);
    else flat.push(start, end);
  }
  return flat;
}

/** The pairs of a flat array. */
function pairsOf(flat) {
  return Array.from({ length: flat.length / 2 }, (_, i) => [flat[2 * i], flat[2 * i + 1]]);
}

/** The number of characters in disjoint spans. */
function size(flat) {
  let sum = 0;
  for (let i = 0; i < flat.length; i += 2) sum += flat[i + 1] - flat[i];
  return sum;
}

/** The number of characters that lie in both. */
function shared(a, b) {
  let sum = 0;
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    sum += Math.max(0, Math.min(a[i + 1], b[j + 1]) - Math.max(a[i], b[j]));
    if (a[i + 1] < b[j + 1]) i += 2;
    else j += 2;
  }
  return sum;
}

/** How many borders of a sorted flat array lie at or before an offset: odd inside a span. */
function rank(flat, at) {
  let low = 0, high = flat.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (flat[middle] <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

const inside = (flat, at) => rank(flat, at) % 2 === 1;

/** A text whose offsets count characters, though the browser counts UTF-16 units. */
class CountedText {
  constructor(string) {
    this.string = string;
    this.wide = [];
    const pair = /[\u{10000}-\u{10ffff}]/gu;
    for (let match; (match = pair.exec(string)); ) this.wide.push(match.index - this.wide.length);
    this.length = string.length - this.wide.length;
  }

  /** The UTF-16 unit at which a character begins. */
  unit(at) {
    return at + (this.wide.length ? rank(this.wide, at - 1) : 0);
  }

  /** The character that begins at a UTF-16 unit. */
  character(unit) {
    if (!this.wide.length) return unit;
    let low = 0, high = this.wide.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.wide[middle] + middle < unit) low = middle + 1;
      else high = middle;
    }
    return unit - low;
  }

  slice(start, end) {
    return this.string.slice(this.unit(start), this.unit(end));
  }
}
