// Renders the icons of the installed web app from src/web/favicon.svg. Run it when the logo
// changes; the images are committed because a build machine may not have a browser.
import { readFileSync, writeFileSync } from 'node:fs'
import { chromium } from 'playwright-core'
import { inRoot } from './lib/root.mjs'
import { findSystemPackages } from './lib/system-packages.mjs'

const logo = readFileSync(inRoot('src/web/favicon.svg'), 'utf8')
const background = '#f5f4f0'

// share: the size of the logo relative to the icon. Only the inner 80 % of a maskable icon is
// guaranteed to be visible.
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
        body { margin: 0; display: grid; place-items: center; height: ${side}px; background: ${background};
          border-radius: ${radius * side}px }
        html { background: transparent }
        svg { width: ${share * side}px; height: ${share * side}px }
      </style>${logo}`,
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
