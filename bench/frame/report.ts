import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { meets, type Result, type Spread } from './row.ts'

export type Report = { row: string; results: Result[] }

const head = ['row', 'what', 'product', 'floor', 'ratio', 'target', '']

export function table(reports: Report[]): string {
  const lines = reports.flatMap(({ row, results }) => results.map((result) => cells(row, result)))
  const all = [head, ...lines]
  const widths = head.map((_, column) => Math.max(...all.map((line) => line[column]!.length)))
  return all
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function cells(row: string, result: Result): string[] {
  const { what, unit, product, floor, ratio, targets = [] } = result
  const named = targets.map(({ of, is, value }) => `${is} ${value} ${of === 'ratio' ? 'x' : unit}`)
  return [
    row,
    what,
    `${figure(product.median)} ${unit}`,
    floor ? `${figure(floor.median)} ${unit}` : '',
    ratio ? `${figure(ratio.median)} x (${range(ratio)})` : '',
    named.join(', '),
    targets.length === 0 ? '' : targets.every((target) => meets(target, result)) ? 'met' : 'MISSED',
  ]
}

function range({ low, high }: Spread): string {
  return `${figure(low)}-${figure(high)}`
}

function figure(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3)
}

/** The whole of it, with every round and the machine, for whoever compares later. Gives back where. */
export function save(reports: Report[], quick: boolean): string {
  const folder = 'bench/results'
  const at = new Date().toISOString()
  const file = `${folder}/${at.replace(/[:.]/g, '-')}.json`
  const machine = { cpu: cpus()[0]?.model, cores: cpus().length, memory: totalmem(), node: process.version }
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, `${JSON.stringify({ at, quick, machine, reports }, null, 2)}\n`)
  return file
}
