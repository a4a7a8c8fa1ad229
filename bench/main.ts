import { describeMachine, isBusy } from './frame/machine.ts'
import { profileInto } from './frame/profile.ts'
import { createProgress, endProgress } from './frame/progress.ts'
import { markdown, table } from './frame/report.ts'
import { newestReports, type Report, saveReport } from './frame/results.ts'
import type { Row } from './frame/row.ts'
import { answerToAgent } from './rows/answer-to-agent.ts'
import { createTask } from './rows/create-task.ts'
import { feedback } from './rows/feedback.ts'
import { getTask } from './rows/get-task.ts'
import { idleStreams } from './rows/idle-streams.ts'
import { insight } from './rows/insight.ts'
import { langgraph } from './rows/langgraph.ts'
import { largeData } from './rows/large-data.ts'
import { latency } from './rows/latency.ts'
import { policies } from './rows/policies.ts'
import { rules } from './rows/rules.ts'
import { sendToHuman } from './rows/send-to-human.ts'
import { start } from './rows/start.ts'
import { web } from './rows/web.ts'
import { worstRequest } from './rows/worst-request.ts'

const rows: Row[] = [
  sendToHuman,
  createTask,
  getTask,
  latency,
  langgraph,
  answerToAgent,
  policies,
  idleStreams,
  largeData,
  feedback,
  insight,
  rules,
  worstRequest,
  start,
  web,
]
const profiles = 'bench/results/profiles'
const knownFlags = ['--quick', '--json', '--table', '--profile']

/** npm run bench -- [row …] [--quick] [--json] [--profile], or --table */
async function main(argv: string[]): Promise<number> {
  const flags = argv.filter((argument) => argument.startsWith('--'))
  const names = argv.filter((argument) => !argument.startsWith('--'))
  const unknown = [
    ...names.filter((name) => !rows.some((row) => row.name === name)),
    ...flags.filter((flag) => !knownFlags.includes(flag)),
  ]
  if (unknown.length > 0) {
    const list = rows.map(({ name, about }) => `  ${name.padEnd(18)}${about}\n`).join('')
    process.stderr.write(
      `Unknown argument: ${unknown.join(', ')}. The rows are:\n${list}The options are ${knownFlags.join(', ')}.\n`,
    )
    return 1
  }
  if (flags.includes('--table')) return printNewest()
  const selected = rows.filter(({ name }) => names.length === 0 || names.includes(name))
  const isProfiled = flags.includes('--profile')
  const reports = await runAll(selected, { quick: flags.includes('--quick'), isProfiled })
  process.stderr.write(
    isProfiled
      ? `CPU profiles are in ${profiles}/<row>/. Open them as flame graphs in a browser's developer tools. Profiled rounds are not saved.\n`
      : 'All rounds were saved to bench/results/.\n',
  )
  process.stdout.write(flags.includes('--json') ? `${JSON.stringify(reports)}\n` : `${table(reports)}\n`)
  // A missed target is not an error, because the machine may be busy.
  return reports.length === selected.length ? 0 : 1
}

/** Runs the rows one after the other. A row that fails is left out of the reports, and the next one runs. */
async function runAll(
  selected: Row[],
  { quick, isProfiled }: { quick: boolean; isProfiled: boolean },
): Promise<Report[]> {
  const machine = describeMachine()
  if (isBusy(machine)) {
    const { load, cores } = machine
    process.stderr.write(
      `This machine is busy (load ${load.toFixed(1)}, ${cores} cores): the results of this run are not reliable.\n`,
    )
  }
  const reports: Report[] = []
  for (const row of selected) {
    if (isProfiled) profileInto(`${profiles}/${row.name}`)
    try {
      const results = await row.run({ quick, showProgress: createProgress(row.name) })
      reports.push({ row: row.name, at: new Date().toISOString(), quick, machine, results })
      // The profiler slows the product but not its baseline.
      if (!isProfiled) saveReport(reports.at(-1)!)
      endProgress()
    } catch (error) {
      endProgress()
      process.stderr.write(`${row.name} failed: ${(error as Error).message}\n`)
    }
  }
  return reports
}

function printNewest(): number {
  const reports = newestReports()
  if (reports.length === 0) {
    process.stderr.write('There are no results yet. Run npm run bench first.\n')
    return 1
  }
  const order = (report: Report) => rows.findIndex(({ name }) => name === report.row)
  process.stdout.write(`${markdown(reports.sort((one, other) => order(one) - order(other)))}\n`)
  return 0
}

// So that child processes are stopped on exit, see frame/on-exit.ts.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
process.exitCode = await main(process.argv.slice(2))
