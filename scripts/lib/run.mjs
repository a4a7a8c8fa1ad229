import { spawn } from 'node:child_process'
import { inRoot, root } from './root.mjs'

// Programs in node_modules are started by path because npx adds half a second.
const packagedPrograms = {
  biome: '@biomejs/biome/bin/biome',
  knip: 'knip/bin/knip.js',
  rolldown: 'rolldown/bin/cli.mjs',
  // TypeScript 7, which compiles in a quarter of the time. It has no compiler API, so tools that
  // need one use TypeScript 6.
  tsc: 'typescript-native/bin/tsc',
  vite: 'vite/bin/vite.js',
  vitest: 'vitest/vitest.mjs',
}

/** Runs a program with inherited output. Returns its exit code. */
export async function run(program, args, env = {}) {
  return waitForExit(start(program, args, { stdio: 'inherit', env: { ...process.env, ...env } }))
}

/** Runs a program without printing its output. Returns the output if it failed, otherwise undefined. */
export async function runQuietly(program, args, env = {}) {
  const child = start(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text
    })
  }
  const code = await waitForExit(child)
  return code === 0 ? undefined : output.trim() || `${program} exited with code ${code}`
}

/** The command line that reproduces the call. */
export function commandLine(program, args) {
  // Not npx, which finds TypeScript 6.
  const command =
    program in packagedPrograms ? ['node', `node_modules/${packagedPrograms[program]}`] : [program]
  return [...command, ...args].join(' ')
}

/** Prints the failure of a program and exits. */
export function exitWithFailure(program, args, failure) {
  console.error(`\n${failure}\n\nCommand failed: ${commandLine(program, args)}\n(in ${root})`)
  process.exit(1)
}

export function start(program, args, options) {
  const cwd = root
  if (program in packagedPrograms) {
    const script = inRoot('node_modules', ...packagedPrograms[program].split('/'))
    return spawn(process.execPath, [script, ...args], { cwd, ...options })
  }
  // On Windows npm is a batch file, which only a shell can start.
  return spawn(program, args, { cwd, shell: process.platform === 'win32', ...options })
}

/**
 * Returns the exit code of a child. Signals are forwarded to it, except Ctrl-C, which the terminal
 * delivers to both; this process then exits after the child. The handlers are removed afterwards,
 * because the service installs its own.
 */
async function waitForExit(child) {
  let receivedSignal
  const forward = (signal) => {
    receivedSignal ??= signal
    if (signal !== 'SIGINT') child.kill(signal)
  }
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  for (const signal of signals) process.on(signal, forward)
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (status, signal) => resolve(status ?? signal))
  })
  for (const signal of signals) process.off(signal, forward)
  if (receivedSignal) process.exit(receivedSignal === 'SIGINT' ? 130 : 143)
  return code
}
