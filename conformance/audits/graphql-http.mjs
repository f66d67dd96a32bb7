// Judges a GraphQL endpoint by the audits of GraphQL over HTTP (npm `graphql-http`).
//
//   node graphql-http.mjs URL
//   node graphql-http.mjs --spawn COMMAND ARGUMENT...    starts a server whose ready line says `graphql=URL`, and stops it
//
// Exit codes are the suite's: 0 every MUST and SHOULD holds; 1 one does not; 2 usage; 3 not reachable; 4 nothing was judged;
// 70 an audit itself broke. A failing MAY is told and forgiven.

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { serverAudits } from 'graphql-http';

const READY_WITHIN_MS = 60_000;
const ANSWER_WITHIN_MS = 10_000;
const LEVELS = ['MUST', 'SHOULD', 'MAY'];

/** Runs every audit in turn, prints a line for each and the sums, and returns the exit code. */
async function judge(url) {
  const counts = Object.fromEntries(LEVELS.map((level) => [level, { ok: 0, failed: 0 }]));
  const fetchFn = (target, init) => fetch(target, { ...init, signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
  for (const { id, name, fn } of serverAudits({ url, fetchFn })) {
    const level = LEVELS.find((level) => name.startsWith(level));
    if (level === undefined) throw new Error(`audit ${id} has no level: ${name}`);
    const result = await fn();
    const ok = result.status === 'ok';
    counts[level][ok ? 'ok' : 'failed'] += 1;
    console.log(`${ok ? 'ok    ' : 'FAILED'} ${id} ${name}`);
    if (!ok) console.log(`         ${result.reason}: status ${result.response.status}`);
  }
  for (const level of LEVELS) {
    const { ok, failed } = counts[level];
    console.log(`${level.padEnd(6)} ${ok} of ${ok + failed} hold`);
  }
  const judged = counts.MUST.ok + counts.MUST.failed;
  if (judged === 0) return 4;
  return counts.MUST.failed + counts.SHOULD.failed === 0 ? 0 : 1;
}

/** Starts a server and waits for its ready line. */
function start([command, ...rest]) {
  const child = spawn(command, rest, { stdio: ['ignore', 'pipe', 'inherit'] });
  const url = new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`no ready line within ${READY_WITHIN_MS} ms`)), READY_WITHIN_MS);
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${command} ended with ${code} before it was ready`)));
    createInterface({ input: child.stdout }).on('line', (line) => {
      const named = line.startsWith('ready ') && line.split(' ').find((word) => word.startsWith('graphql='));
      if (named) {
        clearTimeout(late);
        resolve(named.slice('graphql='.length));
      }
    });
  });
  return { child, url };
}

async function main(args) {
  if (args[0] === '--spawn' && args.length > 1) {
    const { child, url } = start(args.slice(1));
    try {
      return await judge(await url);
    } finally {
      child.kill();
    }
  }
  if (args.length === 1 && /^https?:\/\//.test(args[0])) return judge(args[0]);
  console.error('usage: node graphql-http.mjs URL | --spawn COMMAND ARGUMENT...');
  return 2;
}

/** A failure of the connection is the target's; anything else thrown is a fault of the audits. */
function codeOf(error) {
  const unreachable = error instanceof TypeError || error.name === 'TimeoutError' || /ready|ENOENT/.test(error.message);
  return unreachable ? 3 : 70;
}

process.exitCode = await main(process.argv.slice(2)).catch((error) => {
  console.error(`${error.message}${error.cause ? `: ${error.cause.message}` : ''}`);
  return codeOf(error);
});
