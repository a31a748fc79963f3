/** Sets an entry as the newest of a map, which drops its oldest one when it is full. */
export const setBounded = <Key, Value>(
  map: Map<Key, Value>,
  key: Key,
  value: Value,
  maxEntries: number,
): void => {
  map.delete(key);
  const [oldest] = map.keys();
  if (map.size >= maxEntries && oldest !== undefined) map.delete(oldest);
  map.set(key, value);
};
