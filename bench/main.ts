import { createProgress, endProgress } from './frame/progress.ts'
import { type Report, save, table } from './frame/report.ts'
import type { Row } from './frame/row.ts'
import { answerToAgent } from './rows/answer-to-agent.ts'
import { createTask } from './rows/create-task.ts'
import { feedback } from './rows/feedback.ts'
import { getTask } from './rows/get-task.ts'
import { idleStreams } from './rows/idle-streams.ts'
import { largeData } from './rows/large-data.ts'
import { sendToHuman } from './rows/send-to-human.ts'
import { start } from './rows/start.ts'

const rows: Row[] = [createTask, sendToHuman, getTask, largeData, feedback, answerToAgent, idleStreams, start]

/** npm run bench -- [row …] [--quick] [--json] */
async function main(argv: string[]): Promise<number> {
  const flags = new Set(argv.filter((argument) => argument.startsWith('--')))
  const names = argv.filter((argument) => !argument.startsWith('--'))
  const unknown = [
    ...names.filter((name) => !rows.some((row) => row.name === name)),
    ...[...flags].filter((flag) => flag !== '--quick' && flag !== '--json'),
  ]
  if (unknown.length > 0) {
    const list = rows.map(({ name, about }) => `  ${name.padEnd(18)}${about}\n`).join('')
    process.stderr.write(`There is no ${unknown.join(', ')}. The rows are:\n${list}And --quick, --json.\n`)
    return 1
  }
  const quick = flags.has('--quick')
  const reports: Report[] = []
  for (const row of names.length > 0 ? rows.filter(({ name }) => names.includes(name)) : rows) {
    reports.push({ row: row.name, results: await row.run({ quick, tell: createProgress(row.name) }) })
    endProgress()
  }
  process.stderr.write(`All rounds are in ${save(reports, quick)}.\n`)
  process.stdout.write(flags.has('--json') ? `${JSON.stringify(reports)}\n` : `${table(reports)}\n`)
  return 0
}

// A missed target is a figure to look at, not an error: on a busy machine it means little.
process.exitCode = await main(process.argv.slice(2))
