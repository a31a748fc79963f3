// Loaded into the product before it starts: the merchant that a statement may see is set in a transaction
// around it, and not in the session. All four are sent at once.
import pg from 'pg';

const { query } = pg.Client.prototype;
const merchants = new WeakMap();

const begin = { name: 'scoped_begin', text: 'begin' };
const end = { name: 'scoped_end', text: 'commit' };
const scope = {
  name: 'scoped',
  text: "select set_config('florin.merchants', $1, true)",
};

pg.Client.prototype.query = function (config, ...rest) {
  if (config?.name === 'scope') {
    merchants.set(this, config.values);
    return Promise.resolve({ rows: [] });
  }
  const values = merchants.get(this);
  if (!values || config?.name === 'plan_mode') return query.call(this, config, ...rest);
  const sent = [begin, { ...scope, values }].map((each) => query.call(this, { ...each }));
  const asked = query.call(this, config, ...rest);
  const ended = query.call(this, { ...end });
  return Promise.all([asked, ended, ...sent]).then(([result]) => result);
};
