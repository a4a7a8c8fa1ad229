// Takes screenshots of the pages below, light and dark, at four widths, into
// test-results/screenshots/. Pass names to take only some: npm run screenshots -- inbox members
import './lib/node-version.mjs'
import { mkdirSync, rmSync } from 'node:fs'
import { chromium } from 'playwright-core'
import { inRoot } from './lib/root.mjs'
import { compare, extraction } from './lib/sample-check-tasks.mjs'
import { escalation, refund } from './lib/sample-customer-tasks.mjs'
import { startSampleService } from './lib/sample-service.mjs'
import { findSystemPackages } from './lib/system-packages.mjs'
import { prepare } from './prepare.mjs'

const widths = [1600, 1280, 768, 390]
const themes = ['light', 'dark']

const openTask = (sample) => async (page) => {
  await page
    .getByRole('option', { name: new RegExp(sample.task.name.slice(0, 24)) })
    .first()
    .click()
  await page.getByRole('heading', { level: 1, name: sample.task.name }).waitFor()
}

/**
 * One entry per page. `go`: its path; `do`: steps before the screenshot; `height`: a taller window
 * for long pages.
 */
const pages = [
  { name: 'set-up-used', go: () => '/setup#token', as: 'nobody' },
  { name: 'sign-in', go: () => '/sign-in', as: 'nobody' },
  { name: 'forgot-password', go: () => '/forgot-password', as: 'nobody' },
  { name: 'invitation-dead', go: () => '/invitation#token', as: 'nobody' },
  { name: 'not-found', go: () => '/nowhere/at/all' },
  { name: 'inbox', go: at('inbox') },
  { name: 'inbox-empty', go: ({ empty }) => `/w/${empty}/inbox` },
  { name: 'task-compare', go: at('inbox'), do: openTask(compare) },
  { name: 'task-refund', go: at('inbox'), do: openTask(refund) },
  { name: 'task-form', go: at('inbox'), do: openTask(extraction) },
  { name: 'task-chat', go: at('inbox'), do: openTask(escalation) },
  { name: 'handled', go: at('handled') },
  { name: 'statistics', go: at('statistics'), height: 1600 },
  { name: 'rules', go: at('rules') },
  { name: 'examples', go: at('examples'), height: 1200 },
  { name: 'settings', go: at('settings') },
  { name: 'settings-account', go: at('settings/account') },
  { name: 'settings-connect', go: at('settings/connect'), height: 1100 },
  { name: 'settings-notifications', go: at('settings/notifications'), height: 1400 },
  { name: 'settings-slack', go: at('settings/slack') },
  { name: 'settings-workspace', go: at('settings/workspace') },
  { name: 'settings-members', go: at('settings/members') },
  { name: 'settings-invitations', go: at('settings/invitations') },
  { name: 'settings-api-keys', go: at('settings/api-keys') },
  { name: 'settings-webhooks', go: at('settings/webhooks') },
  {
    name: 'settings-delivery',
    go: at('settings/webhooks'),
    do: (page) => page.getByRole('button', { name: /503/ }).click(),
    height: 1400,
  },
  {
    name: 'settings-audit',
    go: at('settings/audit'),
    do: async (page) => {
      await page.getByRole('button', { name: 'Verify' }).click()
      await page.getByText('Verified').first().waitFor()
    },
  },
  { name: 'settings-preferences', go: at('settings/preferences') },
  { name: 'settings-shortcuts', go: at('settings/shortcuts') },
]

function at(path) {
  return ({ workspaceId }) => `/w/${workspaceId}/${path}`
}

const wanted = process.argv.slice(2)
const chosen = pages.filter(({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)))
const folder = inRoot('test-results', 'screenshots')

await prepare()
const { CHROMIUM_PATH } = await findSystemPackages(['CHROMIUM_PATH'])
const browser = await chromium.launch({
  executablePath: CHROMIUM_PATH,
  args: ['--no-sandbox', '--disable-gpu'],
})
let service
try {
  service = await startSampleService()
  if (wanted.length === 0) rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const theme of themes) for (const width of widths) await captureAll(theme, width)
  console.error(`${chosen.length * widths.length * themes.length} screenshots in ${folder}`)
} finally {
  await service?.stop()
  await browser.close()
}

async function captureAll(colorScheme, width) {
  const viewport = { width, height: { 390: 844, 768: 1024, 1280: 800 }[width] ?? 1000 }
  for (const page of chosen) {
    const context = await browser.newContext({
      viewport,
      colorScheme,
      hasTouch: width < 768,
      reducedMotion: 'reduce',
      locale: 'en-GB',
      timezoneId: 'UTC',
    })
    try {
      await capture(context, page, fileFor(page.name, width, colorScheme))
    } catch (error) {
      console.error(`${page.name} at ${width} ${colorScheme}: ${error.message.split('\n')[0]}`)
      process.exitCode = 1
    } finally {
      await context.close()
    }
  }
}

async function capture(context, { go, as, height, do: act }, path) {
  context.setDefaultTimeout(10_000)
  const [name, value] = service.cookie.split(/=(.*)/)
  const domain = new URL(service.url).hostname
  if (as !== 'nobody') await context.addCookies([{ name, value, domain, path: '/', httpOnly: true }])
  const page = await context.newPage()
  if (height) await page.setViewportSize({ ...page.viewportSize(), height })
  await page.goto(`${service.url}${go(service)}`)
  await page.locator('h1, h2').first().waitFor()
  await act?.(page)
  await page.waitForFunction(() => !document.querySelector('.skeleton'))
  await page.evaluate(() => document.fonts.ready)
  // A chart draws once it knows its width, and there is no event to wait for.
  await page.waitForTimeout(300)
  await page.screenshot({ path })
}

function fileFor(name, width, theme) {
  return `${folder}/${name}-${width}-${theme}.png`
}
