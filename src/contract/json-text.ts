import { survivesAsDouble } from './json-text-number.ts'
import { ValueBuilder } from './json-value-builder.ts'
import { limits } from './limits.ts'
import { pathOf, type Violation, Violations } from './violation.ts'

type Options = { maxDepth: number; maxKeys: number; maxValues: number }

export const bodyLimits: Options = {
  maxDepth: limits.bodyDepth,
  maxKeys: limits.objectKeys,
  maxValues: limits.bodyValues,
}

/**
 * Parses JSON text, but refuses what JSON.parse would silently change or PostgreSQL cannot store:
 * duplicate keys, numbers that lose precision, NUL and lone surrogates. Also refuses deep nesting,
 * and so many keys or values that they would block the event loop.
 */
export function parseJsonText(text: string, options: Options): ParsedText {
  const scanner = new TextScanner(text, options)
  scanner.advance(text.length + 1)
  const { violations } = scanner
  return violations.length > 0 ? { violations } : { value: JSON.parse(text) }
}

// Checking one chunk takes about ten milliseconds.
const charactersPerChunk = 64 * 1024

/**
 * Like `parseJsonText`, but yields to the event loop after every 64 KiB of text. A long text is not
 * passed to JSON.parse, which takes 70 ms for objects of 50,000 different keys.
 */
export async function parseJsonTextInChunks(
  text: string,
  options: Options,
  nextTurn: () => Promise<unknown>,
): Promise<ParsedText> {
  if (text.length < charactersPerChunk) return parseJsonText(text, options)
  const builder = new ValueBuilder()
  const scanner = new TextScanner(text, options, builder)
  for (let until = charactersPerChunk; !scanner.advance(until); until += charactersPerChunk) await nextTurn()
  await nextTurn()
  const { violations } = scanner
  return violations.length > 0 ? { violations } : { value: builder.value }
}

type ParsedText = { value: unknown } | { violations: Violation[] }

/** A container around the current position: an object with its keys so far, or an array with its index. */
type Frame = ObjectFrame | { keys: undefined; key: number }
/** The key is undefined until it has been read. Until then the path of a problem ends at the object. */
type ObjectFrame = { keys: Set<string>; key: string | undefined }

const literals = ['true', 'false', 'null']
// Up to 15 digits are exact as a double, unless the exponent is extreme. Others need a closer
// check.
const maxExactDigits = 15
const minExtremeExponent = 250

const syntaxError = 'Invalid JSON at '

export function isSyntaxError({ message }: Violation): boolean {
  return message.startsWith(syntaxError)
}

/** A problem after which reading cannot continue. */
class FatalProblem extends Error {}

class TextScanner {
  readonly #found = new Violations()
  readonly #frames: Frame[] = []
  readonly #text: string
  readonly #options: Options
  readonly #builder: ValueBuilder | undefined
  #at = 0
  #values = 0
  #isComplete = false

  constructor(text: string, options: Options, builder?: ValueBuilder) {
    this.#text = text
    this.#options = options
    this.#builder = builder
  }

  get violations(): Violation[] {
    return this.#found.list
  }

  /** Reads until a value ends at or after this position. Returns true when the text was read completely. */
  advance(until: number): boolean {
    try {
      return this.#document(until)
    } catch (problem) {
      if (!(problem instanceof FatalProblem)) throw problem
      this.#report(problem.message)
      return true
    }
  }

  #document(until: number): boolean {
    while (!this.#isComplete && !this.#found.isFull) {
      if (this.#at >= until) return false
      this.#space()
      if (this.#value() === 'read') this.#isComplete = this.#afterValue()
    }
    if (this.#found.isFull) return true
    this.#space()
    if (this.#at < this.#text.length) this.#fail('unexpected content after the value')
    return true
  }

  /** Reads a scalar or an empty container, or enters a container up to its first value. */
  #value(): 'read' | 'opened' {
    const { maxValues } = this.#options
    if (++this.#values > maxValues) throw new FatalProblem(`The JSON has ${moreThan(maxValues, 'values')}`)
    const char = this.#text[this.#at]
    if (char === '{' || char === '[') return this.#open(char)
    const start = this.#at
    if (char === '"') {
      for (const problem of this.#string()) this.#report(`The string ${problem}`)
    } else if (char === '-' || (char !== undefined && char >= '0' && char <= '9')) this.#number()
    else this.#literal()
    // A refused string may contain what JSON.parse throws on.
    if (this.#builder && this.#found.list.length === 0)
      this.#builder.add(this.#frames.at(-1)?.key, JSON.parse(this.#text.slice(start, this.#at)))
    return 'read'
  }

  #open(char: '{' | '['): 'read' | 'opened' {
    const { maxDepth } = this.#options
    if (this.#frames.length === maxDepth)
      throw new FatalProblem(`Nested ${moreThan(maxDepth, 'levels deep')}`)
    this.#at++
    this.#space()
    this.#builder?.open(this.#frames.at(-1)?.key, char === '{' ? {} : [])
    if (this.#text[this.#at] === (char === '{' ? '}' : ']')) {
      this.#at++
      this.#builder?.close()
      return 'read'
    }
    if (char === '[') {
      this.#frames.push({ keys: undefined, key: 0 })
    } else {
      const frame: ObjectFrame = { keys: new Set(), key: undefined }
      this.#frames.push(frame)
      this.#key(frame)
    }
    return 'opened'
  }

  /** Moves to the next value and closes containers. Returns true after the outermost value. */
  #afterValue(): boolean {
    for (let frame = this.#frames.at(-1); frame; frame = this.#frames.at(-1)) {
      this.#space()
      const char = this.#text[this.#at]
      const end = frame.keys ? '}' : ']'
      if (char === ',') {
        this.#at++
        if (frame.keys) {
          this.#space()
          this.#key(frame)
        } else {
          frame.key++
        }
        return false
      }
      if (char !== end) this.#fail(`expected "," or "${end}"`)
      this.#at++
      this.#frames.pop()
      this.#builder?.close()
    }
    return true
  }

  #key(frame: ObjectFrame): void {
    const { maxKeys } = this.#options
    frame.key = undefined
    if (frame.keys.size === maxKeys) throw new FatalProblem(`The object has ${moreThan(maxKeys, 'keys')}`)
    if (this.#text[this.#at] !== '"') this.#fail('expected a key in double quotes')
    const start = this.#at
    const problems = this.#string()
    const raw = this.#text.slice(start, this.#at)
    // A raw NUL was reported already. As an escape, JSON.parse accepts it and decodes the rest.
    const key: string = raw.includes('\\') ? JSON.parse(raw.replaceAll('\0', '\\u0000')) : raw.slice(1, -1)
    frame.key = key
    for (const problem of problems) this.#report(`The key ${problem}`)
    if (frame.keys.has(key)) this.#report('Duplicate key. Send each key once.')
    frame.keys.add(key)
    this.#space()
    if (this.#text[this.#at] !== ':') this.#fail('expected ":" after the key')
    this.#at++
  }

  /** Reads a string to its closing quote and returns why it cannot be stored, if so. */
  #string(): string[] {
    const text = this.#text
    const start = this.#at
    let hasNul = false
    let hasLoneSurrogate = false
    let isAfterHighSurrogate = false
    this.#at++
    for (;;) {
      let unit = text.charCodeAt(this.#at)
      if (unit === 0x22) break
      if (Number.isNaN(unit)) {
        this.#at = start
        this.#fail('the string that starts here has no closing quote')
      }
      if (unit === 0x5c) unit = this.#escape()
      else if (unit !== 0 && unit < 0x20)
        this.#fail('a control character must be written as an escape, such as \\n')
      else this.#at++
      if (unit === 0) hasNul = true
      if (isAfterHighSurrogate !== (unit >= 0xdc00 && unit <= 0xdfff)) hasLoneSurrogate = true
      isAfterHighSurrogate = unit >= 0xd800 && unit <= 0xdbff
    }
    this.#at++
    const problems: string[] = []
    if (hasNul) problems.push('contains the character NUL (\\u0000), which cannot be stored. Remove it.')
    if (hasLoneSurrogate || isAfterHighSurrogate)
      problems.push(
        'contains half of a surrogate pair, which is not a character. Send the whole pair or remove it.',
      )
    return problems
  }

  /** Returns the code unit of an escape sequence. */
  #escape(): number {
    const letter = this.#text[this.#at + 1]
    if (letter === 'u') {
      const hex = this.#text.slice(this.#at + 2, this.#at + 6)
      if (!/^[0-9a-fA-F]{4}$/.test(hex)) this.#fail('expected four hexadecimal digits after \\u')
      this.#at += 6
      return Number.parseInt(hex, 16)
    }
    if (letter === undefined || !'"\\/bfnrt'.includes(letter)) this.#fail('invalid escape sequence')
    this.#at += 2
    return 0x20
  }

  #number(): void {
    const start = this.#at
    if (this.#text[start] === '-') this.#at++
    if (this.#text[this.#at] === '0') this.#at++
    else this.#digits()
    if (this.#text[this.#at] === '.') {
      this.#at++
      this.#digits()
    }
    const mantissa = this.#at - start
    const exponent = this.#text[this.#at]
    let power = 0
    if (exponent === 'e' || exponent === 'E') {
      const sign = this.#text[++this.#at]
      if (sign === '+' || sign === '-') this.#at++
      const digits = this.#at
      this.#digits()
      power = Number(this.#text.slice(digits, this.#at))
    }
    if (mantissa <= maxExactDigits && power < minExtremeExponent) return
    const literal = this.#text.slice(start, this.#at)
    if (survivesAsDouble(literal)) return
    const shown = literal.length > 40 ? `${literal.slice(0, 40)}…` : literal
    this.#report(`The number ${shown} would lose precision as a double. Send it as a string.`)
  }

  #digits(): void {
    const start = this.#at
    for (;;) {
      const unit = this.#text.charCodeAt(this.#at)
      if (!(unit >= 0x30 && unit <= 0x39)) break
      this.#at++
    }
    if (this.#at === start) this.#fail('expected a digit')
  }

  #space(): void {
    for (;;) {
      const unit = this.#text.charCodeAt(this.#at)
      if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return
      this.#at++
    }
  }

  #literal(): void {
    const word = literals.find((known) => this.#text.startsWith(known, this.#at))
    if (word === undefined) this.#fail('expected a value')
    this.#at += word.length
  }

  #report(message: string): void {
    this.#found.add(pathOf(this.#frames.flatMap(({ key }) => key ?? [])), message)
  }

  #fail(what: string): never {
    let line = 1
    let lineEnd = -1
    for (
      let next = this.#text.indexOf('\n');
      next >= 0 && next < this.#at;
      next = this.#text.indexOf('\n', next + 1)
    ) {
      line++
      lineEnd = next
    }
    const column = this.#at - lineEnd
    throw new FatalProblem(`${syntaxError}line ${line}, column ${column}: ${what}.`)
  }
}

function moreThan(most: number, what: string): string {
  const count = most.toLocaleString('en')
  return `more than ${count} ${what}; at most ${count} are allowed.`
}
