import { describe, expect, test } from 'vitest'
import { axeViolations, overflowingElements, type Visit } from '../../support/browser.ts'
import { setUpBrowserTests } from '../../support/browser-tests.ts'
import { noProblems } from '../../support/page-problems.ts'

describe('the page runs and loads only what the service serves', () => {
  const { acme, visit, allowProblems } = setUpBrowserTests()

  async function openInbox(): Promise<Visit> {
    const visited = await visit(`/w/${acme.workspaceId}/inbox`)
    allowProblems(visited)
    await visited.page.getByRole('heading', { name: 'No open tasks' }).waitFor()
    return visited
  }

  test('injected content is blocked, and the tests detect the attempt', async () => {
    const { page, problems } = await openInbox()
    expect(await problems()).toEqual(noProblems)
    await page.evaluate(() => {
      const elsewhere = 'https://track.example/x'
      const make = (name: string, attributes: object) =>
        document.body.append(Object.assign(document.createElement(name), attributes))
      for (const attempt of [
        () => make('script', { textContent: 'globalThis.ran = true' }),
        () => make('script', { src: elsewhere }),
        () => setTimeout('globalThis.ran = true'),
        () => make('div', { innerHTML: '<b>text</b>' }),
        // Pictures over https are allowed, because people can load them; the page itself never
        // does.
        () => make('img', { src: elsewhere.replace('https', 'http') }),
        () => make('iframe', { src: elsewhere }),
        () => make('style', { textContent: 'body { display: none }' }),
        () => fetch(elsewhere).catch(() => undefined),
      ]) {
        try {
          void attempt()
        } catch {
          // Blocked synchronously; the violation is reported, too.
        }
      }
    })
    const trusted = 'require-trusted-types-for'
    await expect
      .poll(async () => (await problems()).violations.map((violation) => violation.split(' ')[0]).sort())
      .toEqual(['connect-src', 'frame-src', 'img-src', trusted, trusted, trusted, trusted, 'style-src-elem'])
    expect(await page.evaluate(() => 'ran' in globalThis)).toBe(false)
    expect(await page.getByRole('heading', { name: 'No open tasks' }).isVisible()).toBe(true)
  })

  test('the tests detect accessibility violations, overflow, script errors, console errors and foreign requests, with the policy on', async () => {
    const { page, problems } = await openInbox()
    expect(await axeViolations(page)).toEqual([])
    expect(await problems()).toEqual(noProblems)
    await page.evaluate(() => document.body.append(document.createElement('button')))
    expect((await axeViolations(page)).join()).toContain('button-name')
    expect(await overflowingElements(page)).toEqual([])
    await page.getByRole('main').evaluate((main) => {
      main.append(Object.assign(document.createElement('p'), { textContent: 'x'.repeat(1_000) }))
    })
    expect(await overflowingElements(page)).not.toEqual([])
    await page.evaluate(() => {
      setTimeout(() => {
        throw new Error('planted')
      })
      console.error('complaint')
      window.open('https://track.example/')
    })
    await expect.poll(async () => (await problems()).errors).toEqual(['complaint', 'planted'])
    await expect.poll(async () => (await problems()).foreign).toEqual(['https://track.example/'])
    await page.evaluate(() =>
      document.body.append(Object.assign(new Image(), { src: 'http://track.example/p' })),
    )
    await expect.poll(async () => (await problems()).violations).toEqual(['img-src http://track.example/p'])
  })
})
