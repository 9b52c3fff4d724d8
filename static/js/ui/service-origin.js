/** Examples of the reference name the address at which it is read: the page itself is the same at all of them. */

import { ROOT } from "../net/root.js";

for (const origin of document.querySelectorAll("#origin")) origin.textContent = location.origin + ROOT.slice(0, -1);
