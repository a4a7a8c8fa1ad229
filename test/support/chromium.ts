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
  // Whatever a page tries: no name leads anywhere, so that no test leaves this machine.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
]

// Files of a worker share its process (isolate is off), and so its Chromium: one takes a second to start. It ends with
// the process.
let chromiumOfWorker: Promise<Browser> | undefined

export function launchedChromium(): Promise<Browser> {
  chromiumOfWorker ??= chromium.launch({ executablePath: findChromium(), args: flags }).then((browser) => {
    browser.once('disconnected', () => {
      chromiumOfWorker = undefined
    })
    return browser
  })
  return chromiumOfWorker
}

/** `npm test` says where it is; a test run alone looks as that would. */
function findChromium(): string {
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
  const folders = (process.env.PATH ?? '').split(delimiter)
  const places = names.flatMap((name) => folders.map((folder) => join(folder, name)))
  const found = process.env.CHROMIUM_PATH || places.find(isProgram)
  if (!found) throw new Error('No Chromium on PATH. CHROMIUM_PATH may name one; npm test installs it.')
  return found
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
