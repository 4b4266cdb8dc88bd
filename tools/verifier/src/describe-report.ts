import type { Report } from './verify.ts';

const MOST_RACKS = 10;

/** What an operator reads. The last line is the verdict. */
export function describeReport(report: Report): string {
  const { topic, view, sendLog, racks } = report;
  const lines = [
    `topic      ${count(topic.records)} readings, ${count(topic.distinct)} distinct`,
    `view       ${count(view.rows)} rows, ${count(view.distinct)} distinct`,
  ];
  if (sendLog !== null) {
    lines.push(`send log   ${count(sendLog.sent)} sent, ${count(sendLog.acknowledged)} acknowledged`);
  }
  if (topic.noReadings > 0) {
    lines.push(
      `invalid    ${count(topic.noReadings)} records, ${count(topic.deadLetters)} of them in dead letters`,
    );
  }
  if (view.older > 0)
    lines.push(`older      ${count(view.older)} rows, whose records Kafka has deleted: not compared`);
  if (report.expired > 0)
    lines.push(`expired    ${count(report.expired)}, hidden by the view because of their age`);
  for (const { cellar, rack, topic: there, view: here } of racks.slice(0, MOST_RACKS)) {
    lines.push(
      `rack       ${cellar}/${rack}: ${there.count} and sum ${there.sum} in the topic, ${here.count} and ${here.sum} in the view`,
    );
  }
  if (racks.length > MOST_RACKS)
    lines.push(`rack       ${count(racks.length - MOST_RACKS)} more racks differ`);
  for (const { kind, what } of report.examples) lines.push(`${kind.padEnd(10)} ${what}`);
  lines.push(
    `missing ${count(report.missing)}, duplicated ${count(report.duplicated)}, altered ${count(report.altered)}: ${verdict(
      report,
    )}`,
  );
  return `${lines.join('\n')}\n`;
}

function verdict(report: Report): string {
  if (!isTrue(report)) return 'THE VIEW DOES NOT MATCH THE TOPIC';
  const isAnythingCompared = report.topic.records + report.view.rows > 0 || report.view.older === 0;
  return isAnythingCompared ? 'the view matches the topic' : 'nothing could be compared';
}

export function isTrue({ missing, duplicated, altered }: Report): boolean {
  return missing === 0 && duplicated === 0 && altered === 0;
}

function count(number: number): string {
  return number.toLocaleString('en');
}
