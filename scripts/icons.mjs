// Draws the icons of the installed application from the mark in src/web/favicon.svg. Run when the mark changes; the
// pictures are committed, since a browser is not there wherever Handrail is built.
import { readFileSync, writeFileSync } from 'node:fs'
import { chromium } from 'playwright-core'
import { inRoot } from './lib/root.mjs'
import { findSystemPackages } from './lib/system-packages.mjs'

const mark = readFileSync(inRoot('src/web/favicon.svg'), 'utf8')
const paper = '#f5f4f0'

// share: how much of the side the mark takes. Of a maskable icon only the inner 80 % are sure to be seen.
const icons = [
  { name: 'icon-192.png', side: 192, share: 0.64, radius: 0.2 },
  { name: 'icon-512.png', side: 512, share: 0.64, radius: 0.2 },
  { name: 'icon-maskable-512.png', side: 512, share: 0.5, radius: 0 },
  { name: 'apple-touch-icon.png', side: 180, share: 0.58, radius: 0 },
]

const { CHROMIUM_PATH } = await findSystemPackages(['CHROMIUM_PATH'])
const browser = await chromium.launch({ executablePath: CHROMIUM_PATH, args: ['--no-sandbox'] })
try {
  for (const { name, side, share, radius } of icons) {
    const page = await browser.newPage({ viewport: { width: side, height: side } })
    await page.setContent(
      `<style>
        body { margin: 0; display: grid; place-items: center; height: ${side}px; background: ${paper};
          border-radius: ${radius * side}px }
        html { background: transparent }
        svg { width: ${share * side}px; height: ${share * side}px }
      </style>${mark}`,
    )
    writeFileSync(
      inRoot('src/web/public', name),
      await page.screenshot({ omitBackground: true, clip: { x: 0, y: 0, width: side, height: side } }),
    )
    await page.close()
  }
} finally {
  await browser.close()
}
