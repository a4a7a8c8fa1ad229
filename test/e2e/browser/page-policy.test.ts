import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { axeFindings, noTroubles, startBrowser, type TestBrowser, type Visit } from '../../support/browser.ts'
import { startService, type TestService, type TestWorkspace } from '../../support/service.ts'

describe('nothing runs and nothing loads in the page but what the service serves', () => {
  let service: TestService
  let acme: TestWorkspace
  let browser: TestBrowser
  beforeAll(async () => {
    service = await startService()
    acme = await service.workspace()
    browser = await startBrowser()
  })
  afterEach(() => browser.endVisits())
  afterAll(async () => {
    await browser.close()
    await service.stop()
  })

  async function openInbox(): Promise<Visit> {
    const visit = await browser.visit(service.url, { cookie: acme.owner.cookie })
    await visit.go(`/w/${acme.workspaceId}/inbox`)
    await visit.page.getByRole('heading', { name: 'Nothing needs you' }).waitFor()
    return visit
  }

  test('a page without troubles has none', async () => {
    expect(await (await openInbox()).troubles()).toEqual(noTroubles)
  })

  test.each([
    [
      'a script in the page',
      'script-src-elem',
      () => {
        const script = document.createElement('script')
        script.append('globalThis.ran = true')
        document.head.append(script)
      },
    ],
    [
      'a script from elsewhere',
      'script-src-elem',
      () => {
        const script = document.createElement('script')
        script.setAttribute('src', 'https://track.example/a.js')
        document.head.append(script)
      },
    ],
    [
      'a tracking pixel',
      'img-src',
      () => {
        document.body.append(Object.assign(new Image(), { src: 'https://track.example/p.gif' }))
      },
    ],
    [
      'a style without the nonce',
      'style-src-elem',
      () => {
        document.head.append(Object.assign(document.createElement('style'), { textContent: 'body{}' }))
      },
    ],
    [
      'a frame',
      'frame-src',
      () => {
        document.body.append(Object.assign(document.createElement('iframe'), { src: 'https://track.example/' }))
      },
    ],
    [
      'a request to elsewhere',
      'connect-src',
      () => {
        fetch('https://track.example/').catch(() => undefined)
      },
    ],
    [
      'HTML made of text',
      'require-trusted-types-for',
      () => {
        try {
          document.body.innerHTML = '<b>text</b>'
        } catch {}
      },
    ],
  ])('%s is stopped, and the tests see that it was tried', async (_, directive, plant) => {
    const { page, troubles } = await openInbox()
    await page.evaluate(plant)
    await expect.poll(async () => (await troubles()).violations.join()).toContain(directive)
    expect(await page.evaluate(() => 'ran' in globalThis || document.querySelector('b') !== null)).toBe(false)
  })

  test('the tests see a request to another machine, an error of a script and a complaint in the console', async () => {
    const { page, troubles } = await openInbox()
    await page.evaluate(() => {
      setTimeout(() => {
        throw new Error('planted')
      })
      console.error('complaint')
      window.open('https://track.example/')
    })
    await expect.poll(async () => (await troubles()).errors).toEqual(['complaint', 'planted'])
    await expect.poll(async () => (await troubles()).foreign).toEqual(['https://track.example/'])
  })

  test('the accessibility check sees a mistake, and leaves the policy on', async () => {
    const { page, troubles } = await openInbox()
    expect(await axeFindings(page)).toEqual([])
    expect(await troubles()).toEqual(noTroubles)
    await page.evaluate(() => document.body.append(document.createElement('button')))
    expect((await axeFindings(page)).join()).toContain('button-name')
    await page.evaluate(() => setTimeout('globalThis.ran = true'))
    await expect.poll(async () => (await troubles()).violations).not.toEqual([])
    expect(await page.evaluate(() => 'ran' in globalThis)).toBe(false)
  })
})
