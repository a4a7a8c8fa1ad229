import { spawn } from 'node:child_process'
import { inRoot, root } from './root.mjs'

// Programs of the packages in node_modules are called by path: npx alone takes half a second.
const PACKAGED = {
  biome: '@biomejs/biome/bin/biome',
  knip: 'knip/bin/knip.js',
  tsc: 'typescript/bin/tsc',
  vite: 'vite/bin/vite.js',
  vitest: 'vitest/vitest.mjs',
}

/** Runs a program with its output on ours. Answers its exit code. */
export async function run(program, args, env = {}) {
  return end(start(program, args, { stdio: 'inherit', env: { ...process.env, ...env } }))
}

/** Runs a program and keeps its output to itself. Answers the output of a failure, undefined on success. */
export async function complaintOf(program, args, env = {}) {
  const child = start(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text
    })
  }
  const code = await end(child)
  return code === 0 ? undefined : output.trim() || `${program} ended with ${code}`
}

/** What a person would type to see the same. */
export function commandLine(program, args) {
  return [...(program in PACKAGED ? ['npx', program] : [program]), ...args].join(' ')
}

/** For a failure that ends the whole command. */
export function giveUp(program, args, complaint) {
  console.error(`\n${complaint}\n\nThis failed: ${commandLine(program, args)}\n(in ${root})`)
  process.exit(1)
}

export function start(program, args, options) {
  const cwd = root
  if (program in PACKAGED) {
    const script = inRoot('node_modules', ...PACKAGED[program].split('/'))
    return spawn(process.execPath, [script, ...args], { cwd, ...options })
  }
  // On Windows npm is a batch file, which only a shell starts.
  return spawn(program, args, { cwd, shell: process.platform === 'win32', ...options })
}

/**
 * The exit code of a child. If we are told to end meanwhile, the child is told too (a Ctrl-C it has heard by itself),
 * and we end after it. Listens no longer than that, so that the service's own handling of signals is its own.
 */
async function end(child) {
  let told
  const passOn = (signal) => {
    told ??= signal
    if (signal !== 'SIGINT') child.kill(signal)
  }
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  for (const signal of signals) process.on(signal, passOn)
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (status, signal) => resolve(status ?? signal))
  })
  for (const signal of signals) process.off(signal, passOn)
  if (told) process.exit(told === 'SIGINT' ? 130 : 143)
  return code
}
