// Stands in for curl where a machine has none, for the options that our guides use.
const [headers, options] = [{}, {}];
const words = process.argv.slice(2);
let url = '';
while (words.length > 0) {
  const word = words.shift();
  if (word === '-s') continue;
  if (!word.startsWith('-')) url = word;
  else if (word === '-X') options.method = words.shift();
  else if (word === '-d') options.body = words.shift();
  else if (word === '-H') {
    const [name, ...value] = words.shift().split(': ');
    headers[name] = value.join(': ');
  } else throw new Error(`curl ${word} is not used in our guides`);
}
const method = options.method ?? (options.body === undefined ? 'GET' : 'POST');
const reply = await fetch(url, { ...options, method, headers });
process.stdout.write(await reply.text());
