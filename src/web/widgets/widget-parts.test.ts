import { describe, expect, test } from 'vitest'
import { diffLines, pairLines, parsePatch } from './changed-lines.ts'
import { initialLayout, maxBlindItems, swapped, withBlind } from './comparisons.ts'
import { toCsv } from './csv.ts'
import { findInJson } from './find-in-json.ts'
import { findMarks } from './find-marks.ts'
import { mailDocument, sanitizeMail } from './mail-document.ts'
import { pictureSize } from './picture-size.ts'
import { sortRows } from './sort-rows.ts'

describe('the order of a comparison', () => {
  test('is the order of the sender until it is swapped or hidden', () => {
    expect(initialLayout(3, false)).toEqual({ order: [0, 1, 2], isBlind: false })
    expect(swapped({ order: [0, 1], isBlind: true })).toEqual({ order: [1, 0], isBlind: true })
    expect(swapped({ order: [0, 1, 2], isBlind: false }).order).toEqual([1, 2, 0])
  })

  test('is random while names are hidden, and stays when they are shown again', () => {
    const orders = Array.from({ length: 200 }, () => initialLayout(2, true).order.join())
    expect(new Set(orders)).toEqual(new Set(['0,1', '1,0']))
    const hidden = withBlind(initialLayout(9, false), true)
    expect(hidden.order.toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
    expect(withBlind(hidden, false)).toEqual({ order: hidden.order, isBlind: false })
  })

  test('is not blind above the maximum number of items', () => {
    expect(initialLayout(maxBlindItems + 1, true).isBlind).toBe(false)
  })
})

describe('differences', () => {
  test('are found by word in prose and by line in code', () => {
    const one = 'The header **is gone**.\n\n```ts\nconst a = 1\nconst b = 2\n```'
    const other = 'The header **is sent**.\n\n```ts\nconst a = 1\nconst b = 3\n```'
    const found = findMarks([one, other], 'markdown')
    expect(found?.marks).toEqual([
      { words: new Set([3]), lines: [new Set([1])] },
      { words: new Set([3]), lines: [new Set([1])] },
    ])
  })

  test.each(['text', 'code'] as const)('have a share of the whole: %s', (kind) => {
    expect(findMarks(['a\nb\nc\nd', 'a\nx\ny\nz'], kind)?.share).toBe(0.75)
  })

  test('are relative to the first text if there are more than two', () => {
    const [first, second, third] = findMarks(['a b', 'a c', 'a b'], 'text')?.marks ?? []
    expect([first, second?.words, third?.words]).toEqual([undefined, new Set([1]), new Set()])
  })

  test.each([
    ['two texts that have nothing in common', 'a b '.repeat(9_000), 'c d '.repeat(9_000)],
    ['a text that is too long', 'x'.repeat(300_000), 'y'],
    ['too many words', 'x '.repeat(30_000), 'x'],
  ])('are not computed for %s', (_, one, other) => {
    const start = performance.now()
    expect(findMarks([one, other], 'text')).toBeUndefined()
    expect(performance.now() - start).toBeLessThan(20_000)
  })
})

describe('a diff', () => {
  test('consists of unchanged, removed and added lines', () => {
    expect(diffLines('a\nb', 'a\nc')).toEqual([
      { kind: 'same', text: 'a' },
      { kind: 'removed', text: 'b' },
      { kind: 'added', text: 'c' },
    ])
  })

  test('of an empty text has only added or only removed lines', () => {
    expect(diffLines('', 'a')).toEqual([{ kind: 'added', text: 'a' }])
    expect(diffLines('a', '')).toEqual([{ kind: 'removed', text: 'a' }])
  })

  test('is parsed from a unified diff', () => {
    const lines = parsePatch('--- a\n+++ b\n@@ -1 +1 @@\n x\n-y\n+z\n')
    expect(lines?.map(({ kind }) => kind)).toEqual(['header', 'header', 'header', 'same', 'removed', 'added'])
    expect(parsePatch('no diff at all')).toBeUndefined()
  })

  test('counts lines that look like a header but are in a hunk', () => {
    const patch = [
      ['--- a.sql', 'header'],
      ['+++ b.sql', 'header'],
      ['@@ -1,3 +1,3 @@', 'header'],
      [' x', 'same'],
      ['--- drop it', 'removed'],
      ['+++ keep it', 'added'],
      ['', 'same'],
      ['--- c.sql', 'header'],
      ['+++ d.sql', 'header'],
      ['@@ -1,9 +1 @@', 'header'],
      ['-y', 'removed'],
      ['--- e.sql', 'header'],
      ['+++ f.sql', 'header'],
      ['@@ -1 +1,0 @@', 'header'],
      ['--- z', 'removed'],
    ] as const
    expect(parsePatch(patch.map(([line]) => line).join('\n'))?.map(({ kind }) => kind)).toEqual(
      patch.map(([, kind]) => kind),
    )
  })

  test('pairs added lines with removed lines', () => {
    const lines = diffLines('a\nb\nc\nd', 'a\nB\nC\nC2\nd') ?? []
    expect(pairLines(lines).map(({ before, after }) => [before?.text, after?.text])).toEqual([
      ['a', 'a'],
      ['b', 'B'],
      ['c', 'C'],
      [undefined, 'C2'],
      ['d', 'd'],
    ])
  })

  test('of very different texts is abandoned', () => {
    const lines = (letter: string) => Array.from({ length: 40_000 }, (_, n) => `${letter}${n}`).join('\n')
    expect(diffLines(lines('a'), lines('b'))).toBeUndefined()
  })
})

describe('a table as CSV', () => {
  test('quotes what needs it', () => {
    expect(
      toCsv([
        ['a', 'b,c'],
        ['say "hi"', 'two\nlines'],
        [1, null],
        [true, { x: 1 }],
      ]),
    ).toBe('a,"b,c"\r\n"say ""hi""","two\nlines"\r\n1,\r\ntrue,"{""x"":1}"')
  })

  test('contains no formulas, and leaves numbers unchanged', () => {
    expect(toCsv([['=cmd|x', '+1', '-1', '@a', '\tb', -5]])).toBe("'=cmd|x,'+1,'-1,'@a,'\tb,-5")
    expect(toCsv([[' =1', '|a', '%b', '\ufeff+1']])).toBe("' =1,'|a,'%b,'\ufeff+1")
    expect(toCsv([['=HYPERLINK("x","y")']])).toBe('"\'=HYPERLINK(""x"",""y"")"')
  })
})

test('rows are sorted by number or by text, those without a value last', () => {
  const rows = [{ a: 10 }, { a: 9 }, {}, { a: 2 }]
  const at = (row: { a?: number }) => row.a
  expect(sortRows(rows, { column: 'a', direction: 'ascending' }, at).map(at)).toEqual([2, 9, 10, undefined])
  expect(sortRows(rows, { column: 'a', direction: 'descending' }, at).map(at)).toEqual([10, 9, 2, undefined])
  const words = ['item 10', 'item 9', ''].map((a) => ({ a }))
  expect(sortRows(words, { column: 'a', direction: 'ascending' }, ({ a }) => a).map(({ a }) => a)).toEqual([
    'item 9',
    'item 10',
    '',
  ])
})

test('a search in JSON finds names and values, with the path to each', () => {
  const value = { orders: [{ 'due date': 'today' }, { paid: 'Today' }], today: { x: 1 } }
  expect(findInJson(value, 'TODAY')).toEqual([
    { path: 'orders[0]["due date"]', shown: '"today"' },
    { path: 'orders[1].paid', shown: '"Today"' },
    { path: 'today', shown: '{…}' },
  ])
  expect(findInJson(value, '')).toEqual([])
})

describe('the HTML of a mail', () => {
  const body = (html: string) => sanitizeMail(html).body

  test('keeps text, structure and inline images', () => {
    expect(body('<P align=center>Dear <b>Rosa</b> &amp; co,<br/>3 < 4</P>')).toBe(
      '<p align="center">Dear <b>Rosa</b> &amp; co,<br>3 &lt; 4</p>',
    )
    expect(body('<img src="data:image/gif;base64,R0lGODlhAQABAA==" alt="Dot">')).toBe(
      '<img src="data:image/gif;base64,R0lGODlhAQABAA==" alt="Dot">',
    )
  })

  test('does not show an inline image that is too large when decoded, or of unknown size', () => {
    const image = (data: string) => sanitizeMail(`<img src="data:image/gif;base64,${data}" alt="Map">`)
    // 65,535 by 65,535 pixels.
    expect(image('R0lGODlh/////w==')).toMatchObject({ body: '[Image: Map]', pictures: 1 })
    expect(image('AA==')).toMatchObject({ body: '[Image: Map]', pictures: 1 })
  })

  test('shows link targets as text and removes the links', () => {
    expect(body('<a href="https://pay.example/?a=1">here</a>')).toBe('<a>here ⟨https://pay.example/?a=1⟩</a>')
    expect(body('<a href=https://a.example>x<a href=https://b.example>y')).toBe(
      '<a>x ⟨https://a.example⟩<a>y ⟨https://b.example⟩',
    )
  })

  test.each([
    ['scripts', '<script>alert(1)</script><SCRIPT src=x></SCRIPT >', ''],
    ['styles, inline and not', '<style>*{}</style><p style="color:red" class=x>t</p>', '<p>t</p>'],
    ['handlers', '<p onclick="x()" onmouseover=y>t</p>', '<p>t</p>'],
    [
      'frames, forms and objects',
      '<iframe src=x>f</iframe><form action=x><input name=y>t</form><object data=x>',
      't',
    ],
    ['remote images', '<img src=https://track.example/p.gif alt="Logo">', '[Image: Logo]'],
    [
      'elements that change the base URL or the policy',
      '<base href=x><meta http-equiv=refresh content="0;url=x"><link rel=stylesheet href=x>t',
      't',
    ],
    ['comments', 'a<!-- <script>x</script> -->b', 'ab'],
    ['SVG with scripts', '<svg onload=x><a xlink:href="javascript:x">t</a></svg>', '<a>t</a>'],
    [
      'quotes that end an attribute early',
      "<p align='\"><script>x</script>'>t</p>",
      '<p align="&quot;&gt;&lt;script&gt;x&lt;/script&gt;">t</p>',
    ],
    ['a tag without end', 'a<p onclick="', 'a'],
    [
      'attributes with a stray equals sign',
      '<p align="a"="b">Pay</p> <b =x>1000</b>',
      '<p align="a">Pay</p> <b>1000</b>',
    ],
    ['comments that end like in browsers', 'a<!-- x --!>b<!-->c<!--->d<!----!>e<!--!> x -->f', 'abcdef'],
    ['titles, up to their closing tag', '<title>x</titles> y</title a=">">Pay', 'Pay'],
  ])('has no %s', (_, html, expected) => {
    expect(body(html)).toBe(expected)
  })

  test('keeps text that mail programs show: without scripts, and in text fields', () => {
    expect(body('<noscript>Pay <b>1</b></noscript>')).toBe('Pay <b>1</b>')
    expect(body('<TEXTAREA><!-- Pay --><b>2</TextArea>.')).toBe('<pre>&lt;!-- Pay --&gt;&lt;b&gt;2</pre>.')
    expect(body('<xmp>3')).toBe('<pre>3</pre>')
  })

  test('counts what mail programs may show and this view does not', () => {
    expect(sanitizeMail('<iframe src=x>y</iframe><input value="Pay"><b>1</b>').embedded).toBe(2)
    expect(sanitizeMail('<title>x</title><p>y</p></iframe>').embedded).toBe(0)
    expect(mailDocument('<video src=x></video>').notes).toEqual([
      'Frames, media or form fields were removed.',
    ])
  })

  test.each([
    ['open tags', '<a "'.repeat(50_000)],
    ['less-than signs', '<'.repeat(200_000)],
    ['scripts without end', '<script>'.repeat(25_000)],
    ['attributes', `<p ${'x="y '.repeat(40_000)}>`],
    ['spaces', `<p${' '.repeat(200_000)}`],
    ['equals signs', `<p ${'= '.repeat(100_000)}`],
    ['closing tags without end', `<title>${'</title'.repeat(28_000)}`],
  ])('is parsed quickly with many %s', (_, html) => {
    const start = performance.now()
    body(html)
    expect(performance.now() - start).toBeLessThan(20_000)
  })
})

describe('the size of an inline image', () => {
  const bytes = (...parts: (string | number[])[]) =>
    Buffer.concat(
      parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))),
    )
  const of = (type: string, data: Buffer) => `data:image/${type};base64,${data.toString('base64')}`
  const webp = (kind: string, ...rest: number[]) => bytes('RIFF\0\0\0\0WEBP', kind, [0, 0, 0, 0, ...rest])

  test.each([
    ['png', bytes('\x89PNG\r\n\x1a\n', [0, 0, 0, 13], 'IHDR', [0, 1, 0, 0, 0, 0, 2, 0]), 65_536, 512],
    ['gif', bytes('GIF89a', [0x2c, 1, 0xc8, 0]), 300, 200],
    [
      'jpeg',
      bytes([0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0xff, 0xc2, 0, 11, 8, 0, 200, 1, 44, 1, 0]),
      300,
      200,
    ],
    ['webp', webp('VP8 ', 0, 0, 0, 0x9d, 1, 0x2a, 0x2c, 1, 0xc8, 0), 300, 200],
    ['webp', webp('VP8L', 0x2f, 0x2b, 0xc1, 0x31, 0), 300, 200],
    ['webp', webp('VP8X', 0, 0, 0, 0, 0x2b, 1, 0, 0xc7, 0, 0), 300, 200],
  ])('is read from its header: %s', (type, data, width, height) => {
    expect(pictureSize(of(type, data))).toEqual({ width, height })
  })

  test.each([
    of('svg+xml', bytes('<svg width="1"/>')),
    of('png', bytes('GI')),
    of('jpeg', bytes([0xff, 0xd8, 0xff, 0xe0, 0, 0])),
    'data:image/png,plain',
    'data:image/png;base64,###',
    'https://cdn.example/p.png',
  ])('is unknown for %s, which is therefore shown on click', (address) => {
    expect(pictureSize(address)).toBeUndefined()
  })
})
