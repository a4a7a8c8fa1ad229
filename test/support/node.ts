import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const mainFile = fileURLToPath(new URL('../../dist/server/main.js', import.meta.url))

/** Starts the built service in its own process, as `npm start` does. */
export async function startNode(environment: Record<string, string>, port = 0, argv: string[] = []) {
  const child: ChildProcess = spawn(process.execPath, [mainFile, ...argv], {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PORT: String(port),
      LOG_LEVEL: 'error',
      RATE_LIMIT: '0',
      SIGN_IN_LIMIT: '0',
      WORKERS: '1',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const killAtExit = () => child.kill('SIGKILL')
  process.once('exit', killAtExit) // in case a test fails before it stops the process
  let output = ''
  let errors = ''
  child.stdout!.on('data', (chunk) => {
    output += chunk
  })
  child.stderr!.on('data', (chunk) => {
    errors += chunk
  })
  const exited = once(child, 'exit').then(([code]) => {
    process.off('exit', killAtExit)
    return code as number | null
  })
  const url = await new Promise<string>((resolve, reject) => {
    const findAddress = () => {
      // The start message depends on the role.
      const address = argv.includes('mcp')
        ? /^MCP\s+(\S+)\/mcp$/m
        : argv.includes('jobs')
          ? /^Health\s+(\S+)\/health$/m
          : /^API\s+(\S+)\/docs$/m
      const found = address.exec(output)?.[1]
      if (found) resolve(found)
    }
    child.stdout!.on('data', findAddress)
    void exited.then((code) => reject(new Error(`the service ended with ${code}:\n${output}\n${errors}`)))
  })
  return {
    url,
    pid: child.pid!,
    exited,
    output: () => output,
    errors: () => errors,
    /** As if the program that reads the output had ended. */
    closeOutput: () => void child.stdout!.destroy(),
    /** Sends SIGTERM as an operator does. Returns the exit code. */
    async stop() {
      child.kill('SIGTERM')
      return await exited
    },
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
  }
}
