import { isBusy } from './machine.ts'
import type { Report } from './results.ts'
import type { Result, Spread } from './row.ts'
import { confidenceInterval, verdictOf } from './verdict.ts'

const head = ['row', 'what', 'product', 'baseline', 'ratio', 'target', 'verdict']

/** For a terminal. */
export function table(reports: Report[]): string {
  const all = [head, ...linesOf(reports)]
  const widths = head.map((_, column) => Math.max(...all.map((line) => line[column]!.length)))
  const aligned = (line: string[]) => line.map((cell, column) => cell.padEnd(widths[column]!)).join('  ')
  return all.map((line) => aligned(line).trimEnd()).join('\n')
}

/** For docs/performance.md: the table, followed by the machine and date of each measurement. */
export function markdown(reports: Report[]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  const machines = new Map<string, string[]>()
  for (const report of reports)
    machines.set(machineOf(report), [...(machines.get(machineOf(report)) ?? []), report.row])
  return [
    line(head),
    line(head.map(() => '---')),
    ...linesOf(reports).map(([row, ...cells]) => line([`\`${row}\``, ...cells])),
    '',
    ...[...machines].map(([machine, rows]) => `- ${machine}: ${rows.join(', ')}`),
  ].join('\n')
}

function machineOf({ at, quick, machine }: Report): string {
  const { cpu, cores, gigabytes, node, postgres } = machine
  const notes = `${quick ? ', a quick run' : ''}${isBusy(machine) ? ', on a busy machine' : ''}`
  return `${at.slice(0, 10)}${notes}, ${cores} cores (${cpu}), ${gigabytes} GB, Node ${node.slice(1)}, PostgreSQL ${postgres}`
}

function linesOf(reports: Report[]): string[][] {
  return reports.flatMap(({ row, results }) => results.map((result) => cells(row, result)))
}

function cells(row: string, result: Result): string[] {
  const { what, unit, product, baseline, ratio, targets = [] } = result
  const targetTexts = targets.map(({ of, is, value }) => `${is} ${value} ${of === 'ratio' ? 'x' : unit}`)
  return [
    row,
    what,
    `${figure(product.median)} ${unit}${ratio ? '' : range(product)}`,
    baseline ? `${figure(baseline.median)} ${unit}` : '',
    ratio ? `${figure(ratio.median)} x${range(ratio)}` : '',
    targetTexts.join(', '),
    verdictOf(result) ?? '',
  ]
}

function range(spread: Spread): string {
  const { low, high } = confidenceInterval(spread)
  return spread.rounds.length > 1 ? ` (${figure(low)}-${figure(high)})` : ''
}

function figure(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3)
}
