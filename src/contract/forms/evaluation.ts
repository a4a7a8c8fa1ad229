import { Budget, TooComplex } from './budget.ts'
import { CHECKS } from './checks.ts'
import { decimalCheck } from './decimal-pattern.ts'
import { answerSteps } from './form-limits.ts'
import { isObject, type JsonObject } from './json.ts'
import type { Location } from './location.ts'
import { compileSteps, patternWeight } from './pattern-weight.ts'
import { resolveReference } from './reference.ts'
import { emptyResult, isFull, type KeywordCheck, type Result, type Run } from './result.ts'

export type AnswerOptions = {
  /** Whether the pattern is found anywhere in the text. */
  matches(pattern: string, text: string): boolean
}

// Schemas nested in schemas, references included; far below what the stack holds.
const DEPTH = 500
// In characters times weight. RE2 took at worst 45 ns for each, and to build its automaton as much again as for a weight
// of 60: less than a tenth of a second in all. A light pattern's automaton is small and soon built.
const PATTERN_COST = 1_500_000
const AUTOMATON_WEIGHT = 60
const LIGHT_PATTERN = 10

/** One run over one answer. Each schema looks at each place once at most, however many ways lead there. */
export class Evaluation implements Run {
  readonly root: unknown
  readonly #budget: Budget
  readonly #matches: AnswerOptions['matches']
  readonly #results = new Map<JsonObject, Map<Location, Result | 'open'>>()
  readonly #plans = new Map<JsonObject, [KeywordCheck, unknown][]>()
  readonly #references = new Map<unknown, JsonObject | undefined>()
  readonly #options = new Map<readonly unknown[], { scalars: Set<unknown>; others: unknown[] }>()
  readonly #weights = new Map<string, number>()
  #patternCost = PATTERN_COST
  #depth = 0

  constructor(root: unknown, options: AnswerOptions, budget = new Budget(answerSteps)) {
    this.root = root
    this.#budget = budget
    this.#matches = options.matches
  }

  evaluate(schema: unknown, location: Location): Result {
    this.spend(1)
    if (!isObject(schema) || Object.keys(schema).length === 0) {
      const result = emptyResult(location)
      result.anything = true
      if (schema === false) result.violations.push({ location, message: 'This field must be left out.' })
      return result
    }
    let results = this.#results.get(schema)
    if (!results) {
      results = new Map()
      this.#results.set(schema, results)
    }
    const known = results.get(location)
    // Open: the schema asks for itself at the same place, which the guard lets nobody write.
    if (known === 'open' || ++this.#depth > DEPTH) throw new TooComplex()
    if (known) {
      this.#depth--
      return known
    }
    results.set(location, 'open')
    const result = emptyResult(location)
    for (const [check, value] of this.#plan(schema)) {
      if (isFull(result)) break
      check({ evaluation: this, schema, location, result }, value)
    }
    results.set(location, result)
    this.#depth--
    return result
  }

  spend(steps: number): void {
    this.#budget.spend(steps)
  }

  matches(pattern: string, text: string): boolean | 'too long' {
    const decimal = decimalCheck(pattern)
    if (decimal) {
      this.spend(text.length / 64)
      return decimal(text)
    }
    let weight = this.#weights.get(pattern)
    if (weight === undefined) {
      weight = patternWeight(pattern)
      this.spend(compileSteps(weight))
      this.#weights.set(pattern, weight)
    }
    this.spend(2)
    this.#patternCost -= text.length * (weight > LIGHT_PATTERN ? weight + AUTOMATON_WEIGHT : weight)
    return this.#patternCost < 0 ? 'too long' : this.#matches(pattern, text)
  }

  resolve(reference: unknown): JsonObject | undefined {
    if (!this.#references.has(reference))
      this.#references.set(reference, resolveReference(this.root, reference))
    return this.#references.get(reference)
  }

  /** The values of an enum, scalars apart for a quick look. */
  optionsOf(values: readonly unknown[]): { scalars: Set<unknown>; others: unknown[] } {
    let options = this.#options.get(values)
    if (!options) {
      const isScalar = (value: unknown) => value === null || typeof value !== 'object'
      options = {
        scalars: new Set(values.filter(isScalar)),
        others: values.filter((value) => !isScalar(value)),
      }
      this.#options.set(values, options)
    }
    return options
  }

  #plan(schema: JsonObject): [KeywordCheck, unknown][] {
    let plan = this.#plans.get(schema)
    if (!plan) {
      plan = []
      for (const keyword of Object.keys(schema)) {
        const check = CHECKS.get(keyword)
        if (check) plan.push([check, schema[keyword]])
      }
      this.#plans.set(schema, plan)
    }
    return plan
  }
}
