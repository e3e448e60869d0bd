/* What is offered before anything was asked; a server that replays a recording puts pages of that in its place. */

export const examples = {
  search: ["tide pools", "how do lighthouses work"],
  read: ["https://en.wikipedia.org/wiki/Tide_pool", "https://www.rfc-editor.org/rfc/rfc9309.html"],
  gather: ["How do tide pools form?", "Why do lighthouses flash?"],
  browse: ["https://en.wikipedia.org/wiki/Lighthouse"],
};
