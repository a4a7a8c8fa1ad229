import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'

const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // These three take a sixth off the processor time of a visit: pages live too short for optimizing
  // compilers, and messages between processes cost more than they isolate.
  '--js-flags=--no-turbofan --no-maglev',
  '--in-process-gpu',
  '--enable-features=NetworkServiceInProcess2',
  // No host name resolves, so that no test sends a request to another machine.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
]

const chromiumNames = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

// Test files of a worker share its process (isolate is off) and one Chromium, which takes a second
// to start. It ends with the process.
let sharedChromium: Promise<Browser> | undefined

export function launchChromium(): Promise<Browser> {
  const executablePath = find('CHROMIUM_SHELL_PATH', ['chromium-headless-shell', ...chromiumNames])
  sharedChromium ??= chromium.launch({ executablePath, args: flags }).then((browser) => {
    browser.once('disconnected', () => {
      sharedChromium = undefined
    })
    return browser
  })
  return sharedChromium
}

/** A separate browser with the parts that the headless shell lacks. Close it. */
export function launchFullChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: find('CHROMIUM_PATH', chromiumNames), args: flags })
}

/** `npm test` sets the variable; a test that runs alone searches PATH. */
function find(variable: string, names: string[]): string {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const paths = names.flatMap((name) => folders.map((folder) => join(folder, name)))
  const found = process.env[variable] || paths.find(isExecutable)
  if (!found)
    throw new Error(`Chromium not found on PATH. Set ${variable}, or run npm test, which installs it.`)
  return found
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
