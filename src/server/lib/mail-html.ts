import type { MailBlock, MailContent, MailLink } from './mail-content.ts'

// No images, fonts or other resources: opening an email sends no request. Styles are inline because
// several mail programs drop <style>; programs that keep it get the dark colors from it.

const font = "-apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif"
const light = {
  page: '#f5f4ef',
  card: '#fdfdfb',
  ink: '#162022',
  muted: '#5a6465',
  line: '#e1e0da',
  accent: '#08686a',
  onAccent: '#ffffff',
  urgent: '#b3261e',
}
const dark: typeof light = {
  page: '#0d1213',
  card: '#141a1b',
  ink: '#eeede9',
  muted: '#a9b0ad',
  line: '#282f31',
  accent: '#6ad2c9',
  onAccent: '#081516',
  urgent: '#ff9a90',
}

type Color = keyof typeof light

/** All texts and URLs are escaped, so the only links are those of the content. */
export function mailHtml({ subject, blocks, footer }: MailContent): string {
  const hasHead = blocks.some(({ kind }) => kind === 'head')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no">
<title>${escapeHtml(subject)}</title>
<style>:root { color-scheme: light dark; }
@media (prefers-color-scheme: dark) { ${darkRules()} }
@media (max-width: 480px) { .page { padding: 0 !important; } .card { border-radius: 0 !important; border-width: 0 0 1px !important; padding: 20px 20px 4px !important; } .footer { padding: 16px 20px 24px !important; } }</style>
</head>
<body class="page bg-page" style="margin:0;padding:24px 12px;background:${light.page};-webkit-text-size-adjust:100%">
<div style="max-width:560px;margin:0 auto;font-family:${font};font-size:16px;line-height:1.5;overflow-wrap:anywhere">
<div class="card bg-card ink edge" style="background:${light.card};color:${light.ink};border:1px solid ${light.line};border-radius:10px;padding:28px 28px 8px">
${hasHead ? '' : title(subject)}${blocks.map(blockHtml).join('\n')}
</div>${footer ? footerHtml(footer) : ''}
</div>
</body>
</html>
`
}

function blockHtml(block: MailBlock): string {
  switch (block.kind) {
    case 'head': {
      const color: Color = block.isUrgent ? 'urgent' : 'muted'
      return [
        `<p class="${color}" style="margin:0 0 6px;color:${light[color]};font-size:13px;font-weight:600">${escapeHtml(block.label)}</p>`,
        title(block.title),
        `<p dir="auto" class="muted" style="margin:-8px 0 20px;color:${light.muted};font-size:14px">${escapeHtml(block.facts)}</p>`,
      ].join('\n')
    }
    case 'text':
      return `<p dir="auto" style="margin:0 0 20px">${escapeHtml(block.text)}</p>`
    case 'lines':
      return `<p dir="auto" style="margin:0 0 20px">${block.lines.map(escapeHtml).join('<br>')}</p>`
    case 'button':
      return `<p style="margin:24px 0"><a class="button" href="${escapeHtml(block.url)}" style="display:inline-block;background:${light.accent};color:${light.onAccent};border-radius:8px;padding:11px 20px;font-weight:600;text-decoration:none">${escapeHtml(block.label)}</a></p>`
    case 'links':
      return `<p style="margin:0 0 20px">${block.links.map(link).join('<br>')}</p>`
    case 'list':
      return [
        `<p class="muted" style="margin:24px 0 10px;color:${light.muted};font-size:13px;font-weight:600">${escapeHtml(block.title)}</p>`,
        ...block.items.map(
          ({ title, facts, url }) =>
            `<p dir="auto" style="margin:0 0 12px">${link({ label: title, url })}<br><span class="muted" style="color:${light.muted};font-size:14px">${escapeHtml(facts)}</span></p>`,
        ),
      ].join('\n')
  }
}

function footerHtml({ reason, links }: { reason: string; links: MailLink[] }): string {
  const lines = links.map(
    ({ label, url }) =>
      `<br><a class="muted" href="${escapeHtml(url)}" style="color:${light.muted};text-decoration:underline">${escapeHtml(label)}</a>`,
  )
  return `
<p class="footer muted" style="margin:0;padding:16px 28px;color:${light.muted};font-size:13px">${escapeHtml(reason)}${lines.join('')}</p>`
}

function title(text: string): string {
  return `<h1 dir="auto" style="margin:0 0 14px;font-size:20px;line-height:1.3;font-weight:650">${escapeHtml(text)}</h1>\n`
}

function link({ label, url }: MailLink): string {
  return `<a class="accent" href="${escapeHtml(url)}" style="color:${light.accent};text-decoration:underline">${escapeHtml(label)}</a>`
}

function darkRules(): string {
  const color = (name: Color) => `.${name} { color: ${dark[name]} !important; }`
  return [
    `.bg-page { background: ${dark.page} !important; }`,
    `.bg-card { background: ${dark.card} !important; }`,
    `.edge { border-color: ${dark.line} !important; }`,
    ...(['ink', 'muted', 'accent', 'urgent'] as const).map(color),
    `.button { background: ${dark.accent} !important; color: ${dark.onAccent} !important; }`,
  ].join(' ')
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character]!)
}
