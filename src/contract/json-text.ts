import { survivesAsDouble } from './json-text-number.ts'
import { pathOf, type Violation, Violations } from './violation.ts'

type Options = { maxDepth: number }

/**
 * Parses a request body. Refuses what JSON.parse would silently change or PostgreSQL cannot store:
 * duplicate keys, numbers that lose precision, NUL and lone surrogates.
 * One pass without recursion, so any depth and size is safe.
 */
export function parseJsonText(text: string, options: Options): ParsedText {
  const scanner = new TextScanner(text, options.maxDepth)
  scanner.advance(text.length + 1)
  return parsed(text, scanner)
}

// About ten milliseconds.
const charactersPerChunk = 64 * 1024

/** Like `parseJsonText`, but yields to the event loop after every 64 KiB of text. */
export async function parseJsonTextInChunks(
  text: string,
  options: Options,
  nextTurn: () => Promise<unknown>,
): Promise<ParsedText> {
  const scanner = new TextScanner(text, options.maxDepth)
  let until = charactersPerChunk
  for (; !scanner.advance(until); until += charactersPerChunk) await nextTurn()
  if (text.length < charactersPerChunk) return parsed(text, scanner)
  await nextTurn()
  const result = parsed(text, scanner)
  await nextTurn()
  return result
}

type ParsedText = { value: unknown } | { violations: Violation[] }

function parsed(text: string, { violations }: TextScanner): ParsedText {
  return violations.length > 0 ? { violations } : { value: JSON.parse(text) }
}

/** A container around the current position: an object with its keys so far, or an array with its index. */
type Frame = { keys: Set<string>; key: string } | { keys: undefined; key: number }

const literals = ['true', 'false', 'null']
// Up to 15 digits are exact as a double, unless the exponent is extreme. Others need a closer check.
const maxExactDigits = 15
const minExtremeExponent = 250

class SyntaxProblem extends Error {}

class TextScanner {
  readonly #found = new Violations()
  readonly #frames: Frame[] = []
  readonly #text: string
  readonly #maxDepth: number
  #at = 0
  #isComplete = false

  constructor(text: string, maxDepth: number) {
    this.#text = text
    this.#maxDepth = maxDepth
  }

  get violations(): Violation[] {
    return this.#found.list
  }

  /** Reads until a value ends at or after this position. Returns true when the text was read completely. */
  advance(until: number): boolean {
    try {
      return this.#document(until)
    } catch (problem) {
      if (!(problem instanceof SyntaxProblem)) throw problem
      // A key that was not read yet is not part of the path.
      if (this.#frames.at(-1)?.key === '') this.#frames.pop()
      this.#report(problem.message)
      return true
    }
  }

  #document(until: number): boolean {
    while (!this.#isComplete && !this.#found.isFull) {
      if (this.#at >= until) return false
      this.#space()
      const opened = this.#value()
      if (opened === 'too deep') return true
      if (opened === 'read') this.#isComplete = this.#afterValue()
    }
    if (this.#found.isFull) return true
    this.#space()
    if (this.#at < this.#text.length) this.#fail('unexpected content after the value')
    return true
  }

  /** Reads a scalar or an empty container, or enters a container up to its first value. */
  #value(): 'read' | 'opened' | 'too deep' {
    const char = this.#text[this.#at]
    if (char === '{' || char === '[') return this.#open(char)
    if (char === '"') {
      for (const problem of this.#string()) this.#report(`The string ${problem}`)
    } else if (char === '-' || (char !== undefined && char >= '0' && char <= '9')) this.#number()
    else this.#literal()
    return 'read'
  }

  #open(char: '{' | '['): 'read' | 'opened' | 'too deep' {
    if (this.#frames.length === this.#maxDepth) {
      this.#report(`Nested more than ${this.#maxDepth} levels deep; at most ${this.#maxDepth} are allowed.`)
      return 'too deep'
    }
    this.#at++
    this.#space()
    if (this.#text[this.#at] === (char === '{' ? '}' : ']')) {
      this.#at++
      return 'read'
    }
    if (char === '[') {
      this.#frames.push({ keys: undefined, key: 0 })
    } else {
      const frame = { keys: new Set<string>(), key: '' }
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
    }
    return true
  }

  #key(frame: { keys: Set<string>; key: string }): void {
    if (this.#text[this.#at] !== '"') this.#fail('expected a key in double quotes')
    const start = this.#at
    const problems = this.#string()
    const raw = this.#text.slice(start, this.#at)
    // A raw NUL was reported already. As an escape, JSON.parse accepts it and decodes the rest.
    frame.key = raw.includes('\\') ? JSON.parse(raw.replaceAll('\0', '\\u0000')) : raw.slice(1, -1)
    for (const problem of problems) this.#report(`The key ${problem}`)
    if (frame.keys.has(frame.key)) this.#report('Duplicate key. Send each key once.')
    frame.keys.add(frame.key)
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
    this.#found.add(pathOf(this.#frames.map((frame) => frame.key)), message)
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
    throw new SyntaxProblem(`Invalid JSON at line ${line}, column ${column}: ${what}.`)
  }
}
