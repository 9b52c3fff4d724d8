/** The examples menu. */

/** @typedef {import("./types").Example} Example */

/** Every way the service may spell an example, read once. @param {any} answer of GET /v1/examples @returns {Example[]} */
export function readExamples(answer) {
  const list = Array.isArray(answer) ? answer : (answer?.examples ?? []);
  return list.flatMap((/** @type {any} */ item) => {
    if (typeof item?.code !== "string") return [];
    const captions = Array.isArray(item.captions) ? item.captions : [];
    return [{
      id: String(item.id ?? item.title), title: String(item.title ?? item.id), code: item.code,
      group: String(item.group ?? item.seed ?? item.lesson ?? "More"), about: String(item.about ?? item.question ?? ""),
      t: Number.isInteger(item.t) ? item.t : null,
      captions: captions.map((/** @type {any} */ caption) => (typeof caption === "string" ? { text: caption, t: null }
        : { text: String(caption.text ?? ""), t: Number.isInteger(caption.t) ? caption.t : null })),
    }];
  });
}

/** @param {Example[]} examples @returns {Map<string, Example[]>} in the order of the list */
export function grouped(examples) {
  /** @type {Map<string, Example[]>} */
  const groups = new Map();
  for (const example of examples) groups.set(example.group, [...(groups.get(example.group) ?? []), example]);
  return groups;
}
