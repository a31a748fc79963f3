import { drillTests, type RecordedDrill, readDrills } from '../../test/harness/record-drill.ts';

const introduction = `# Drills

Generated from \`test/crash/recorded-drills.json\` by \`npm run generate\`: do not edit it here.
Each test breaks the thing under load, with real PostgreSQL on one machine; with \`RECORD_DRILLS=1\`
it writes down what it saw. Every long run (\`npm run test:long\`) breaks it again, and fails where
something is lost.

An error is a call that got no answer or 5xx; in \`drills.long.test.ts\`, and where a standby is
promoted by the command, callers repeat it for ten seconds, and only what failed longer counts.
Seconds to well count until payments go on, from when it was mended or, where nobody mends it, from
when it broke; they are those of a busy machine with two cores. An alert is
named where its expression was true of the numbers of a program meanwhile.

| what breaks | acknowledged | lost | errors | seconds to well | alert | seen | test |
| ----------- | ------------ | ---- | ------ | --------------- | ----- | ---- | ---- |
`;

const notes = `
While the workers were dead, what was due was moved ten minutes back, in place of waiting for the
alert's five. Of a restore to a moment only what was written before the moment counts; what came
after it is found by \`reconcile\`. Behind a pooler no program starts, in any mode
(\`test/journeys/pgbouncer.long.test.ts\`). A set-up that is killed anywhere is finished by the
next, and two at once make one installation
(\`service/src/programs/installation/set-up.long.test.ts\`).
`;

/** What was broken, and what came of it, as tests have recorded it. */
export const drawDrillsPage = async (): Promise<string> => {
  const recorded = await readDrills();
  const rows = Object.entries(drillTests).map(([name, test]) => {
    const drill = recorded.find((each) => each.name === name);
    return `| ${name} | ${drill ? seen(drill) : 'not recorded yet | | | | |'} | \`${test}\` |\n`;
  });
  return `${introduction}${rows.join('')}${notes}`;
};

const seen = (drill: RecordedDrill): string =>
  [
    ...[drill.acknowledged, drill.lost, drill.errors ?? 'not counted'],
    drill.secondsToWell === null ? '' : drill.secondsToWell.toFixed(1),
    drill.alert ?? 'none',
    drill.on,
  ].join(' | ');
