/** Examples of the reference name the address at which it is read: the page itself is the same at all of them. */

for (const origin of document.querySelectorAll("#origin")) origin.textContent = location.origin;
