/** The examples, as the gallery shows them. */

/** @typedef {import("./types").Example} Example */
/** @typedef {{title: string, source: string, examples: Example[]}} Group */

/**
 * @param {{groups: {id: string, title: string, source: string}[], examples: {id: string, group: string, title: string,
 *   description: string, look: string, question: string, code: string}[]}} answer of GET /v1/examples
 * @returns {Group[]} in order; groups without examples are left out
 */
export function readExamples({ groups, examples }) {
  return groups
    .map(({ id, title, source }) => ({ title, source, examples: examples.filter((example) => example.group === id) }))
    .filter((group) => group.examples.length > 0);
}

/**
 * @param {() => Promise<Parameters<typeof readExamples>[0]>} fetch
 * @returns {() => Promise<Group[]>} fetches once, and again after a failure
 */
export function createExamples(fetch) {
  const fetchGroups = async () => readExamples(await fetch());
  /** @type {Promise<Group[]> | null} */
  let groups = null;
  return () => {
    groups ??= fetchGroups().catch((error) => {
      groups = null;
      throw error;
    });
    return groups;
  };
}
