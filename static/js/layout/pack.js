/**
 * Programs often draw several separate graphs. They are set like words: left to right in the order they were made, then
 * the next line; what belongs to one scope stays in one block.
 * @module
 */

/** @typedef {{width: number, height: number, x: number, y: number, group: number, order: number}} Block */
/**
 * @typedef {{width: number, height: number, x: number, y: number, order: number, block: Block | null, inside: Item[]}}
 *   Item
 */

/**
 * Sets x and y (the top left corner) of every block.
 * @param {Block[]} blocks
 * @param {Int32Array} groupParent
 * @param {{gap: number, pad: number, aspect: number}} options
 * @returns {{width: number, height: number}}
 */
export function packBlocks(blocks, groupParent, options) {
  /** @type {Map<number, Item>} */
  const items = new Map();
  const itemOf = (/** @type {number} */ g) => {
    const known = items.get(g);
    if (known) return known;
    /** @type {Item} */
    const item = { width: 0, height: 0, x: 0, y: 0, order: Infinity, block: null, inside: [] };
    items.set(g, item);
    if (g >= 0) itemOf(groupParent[g]).inside.push(item);
    return item;
  };
  const root = itemOf(-1);
  for (const block of blocks) {
    itemOf(block.group).inside.push({
      width: block.width,
      height: block.height,
      x: 0,
      y: 0,
      order: block.order,
      block,
      inside: [],
    });
    for (let g = block.group; ; g = groupParent[g]) {
      const item = itemOf(g);
      item.order = Math.min(item.order, block.order);
      if (g < 0) break;
    }
  }
  const pack = (/** @type {Item} */ item, /** @type {number} */ pad) => {
    for (const child of item.inside) if (!child.block) pack(child, options.pad);
    const inside = item.inside.sort((a, b) => a.order - b.order);
    const { wide, high } = chooseShelves(inside, options);
    const own = inside.length > 1 ? pad : 0;
    for (const child of inside) {
      child.x += own;
      child.y += own;
    }
    item.width = wide + 2 * own;
    item.height = high + 2 * own;
  };
  if (!root.inside.length) return { width: 0, height: 0 };
  pack(root, 0);
  const settle = (/** @type {Item} */ item, /** @type {number} */ x, /** @type {number} */ y) => {
    for (const child of item.inside) {
      if (child.block) {
        child.block.x = x + child.x;
        child.block.y = y + child.y;
      } else settle(child, x + child.x, y + child.y);
    }
  };
  settle(root, 0, 0);
  return { width: root.width, height: root.height };
}

/**
 * Fill shelves left to right, with the shelf length that makes the whole largest in a window of the wanted shape.
 * @param {Item[]} items  in order
 * @param {{gap: number, aspect: number}} options
 */
function chooseShelves(items, options) {
  const widest = items.reduce((most, item) => Math.max(most, item.width), 0);
  let best = null;
  let least = Infinity;
  const limits = new Set([widest]);
  for (let n = 2, sum = items[0].width; n <= Math.min(items.length, 12); n++) {
    limits.add(Math.max(widest, (sum += items[n - 1].width + options.gap)));
  }
  const area = items.reduce((sum, item) => sum + (item.width + options.gap) * (item.height + options.gap), 0);
  limits.add(Math.max(widest, Math.sqrt(area * options.aspect)));
  for (const limit of limits) {
    const { wide, high } = fillShelves(items, limit, options.gap);
    const size = Math.max(wide, high * options.aspect);
    if (size < least - 1) {
      least = size;
      best = limit;
    }
  }
  return fillShelves(items, best ?? widest, options.gap);
}

/** Each shelf in the middle. @param {Item[]} items @param {number} limit @param {number} gap */
function fillShelves(items, limit, gap) {
  /** @type {Item[][]} */
  const shelves = [];
  const length = (/** @type {Item[]} */ shelf) => shelf.reduce((sum, { width }) => sum + width + gap, -gap);
  for (const item of items) {
    const shelf = shelves.at(-1);
    if (shelf && length(shelf) + gap + item.width <= limit + 0.5) shelf.push(item);
    else shelves.push([item]);
  }
  const wide = Math.max(0, ...shelves.map(length));
  let y = 0;
  for (const shelf of shelves) {
    let x = (wide - length(shelf)) / 2;
    for (const item of shelf) {
      item.x = x;
      item.y = y;
      x += item.width + gap;
    }
    y += Math.max(...shelf.map(({ height }) => height)) + gap;
  }
  return { wide, high: Math.max(0, y - gap) };
}
