/** The examples, as the menu shows them. */

/** @typedef {import("./types").Example} Example */

/**
 * @param {{groups: {id: string, title: string, source: string}[], examples: {id: string, group: string, title: string,
 *   description: string, question: string, code: string}[]}} answer of GET /v1/examples
 * @returns {{title: string, source: string, examples: Example[]}[]} in order; groups without examples are left out
 */
export function readExamples({ groups, examples }) {
  return groups
    .map(({ id, title, source }) => ({ title, source, examples: examples.filter((example) => example.group === id) }))
    .filter((group) => group.examples.length > 0);
}
