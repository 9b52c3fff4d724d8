/** Path of the service on its site, with a slash at its end; a reverse proxy may have it below one. */
export const ROOT = import.meta.url && new URL("../../../..", import.meta.url).pathname;
