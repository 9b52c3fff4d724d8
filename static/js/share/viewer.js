/** The page that plays a run, without one. @returns {Promise<string>} */
export async function viewer() {
  const answer = await fetch(new URL("../../viewer.html", import.meta.url));
  if (!answer.ok) throw new Error("the page could not be fetched");
  return answer.text();
}
