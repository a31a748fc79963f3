const wanted = [20, 19];

/** Ends with one sentence on a Node too old to run the rest. */
export const requireNode = () => {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > wanted[0] || (major === wanted[0] && minor >= wanted[1])) return;
  console.error(`Florin needs Node.js ${wanted.join('.')} or newer; this is ${process.version}.`);
  process.exit(1);
};
