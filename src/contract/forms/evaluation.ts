import { Budget, TooComplex } from './budget.ts'
import { decimalCheck } from './decimal-pattern.ts'
import { answerWorkUnits } from './form-limits.ts'
import { isObject, isScalarValue, type JsonObject } from './json.ts'
import { keywordChecks } from './keyword-checks.ts'
import type { Location } from './location.ts'
import { compileUnits, patternWeight } from './pattern-weight.ts'
import { resolveReference } from './reference.ts'
import {
  type Evaluator,
  emptyResult,
  isFull,
  type KeywordCheck,
  type MatchResult,
  type Result,
} from './result.ts'

export type AnswerOptions = {
  /**
   * Whether the pattern matches anywhere in the text. Implemented by the caller: contract/ cannot
   * import RE2.
   */
  matches(pattern: string, text: string): boolean
}

// How deeply evaluations may nest, references included. Far below the limit of the call stack.
const maxDepth = 500
// The limit for all patterns of an answer: the sum of characters times weight. RE2 takes at most
// 45 ns per character and weight, so less than 0.1 s in total. It builds its automaton while it
// matches, which adds a weight of 60 per character, except for light patterns.
const maxPatternCost = 1_500_000
const automatonWeight = 60
const maxLightWeight = 10

/** One evaluation of one answer. Each schema is evaluated at most once per location. */
export class Evaluation implements Evaluator {
  readonly root: unknown
  readonly #budget: Budget
  readonly #matches: AnswerOptions['matches']
  readonly #results = new Map<JsonObject, Map<Location, Result | 'pending'>>()
  readonly #plans = new Map<JsonObject, [KeywordCheck, unknown][]>()
  readonly #references = new Map<unknown, JsonObject | undefined>()
  readonly #enumValues = new Map<readonly unknown[], { scalars: Set<unknown>; others: unknown[] }>()
  readonly #weights = new Map<string, number>()
  #remainingPatternCost = maxPatternCost
  #depth = 0

  constructor(root: unknown, options: AnswerOptions, budget = new Budget(answerWorkUnits)) {
    this.root = root
    this.#budget = budget
    this.#matches = options.matches
  }

  evaluate(schema: unknown, location: Location): Result {
    this.spend(1)
    if (!isObject(schema) || Object.keys(schema).length === 0) {
      const result = emptyResult(location)
      result.allowsAnything = true
      if (schema === false) result.violations.push({ location, message: 'This field must be left out.' })
      return result
    }
    let results = this.#results.get(schema)
    if (!results) {
      results = new Map()
      this.#results.set(schema, results)
    }
    const known = results.get(location)
    // Pending: the schema refers to itself at the same location, which `checkForm` refuses.
    if (known === 'pending') throw new TooComplex()
    if (known) return known
    if (++this.#depth > maxDepth) throw new TooComplex()
    results.set(location, 'pending')
    const result = emptyResult(location)
    for (const [check, value] of this.#plan(schema)) {
      if (isFull(result)) break
      check({ evaluation: this, schema, location, result }, value)
    }
    results.set(location, result)
    this.#depth--
    return result
  }

  spend(units: number): void {
    this.#budget.spend(units)
  }

  match(pattern: string, text: string): MatchResult {
    const decimal = decimalCheck(pattern)
    if (decimal) {
      this.spend(text.length / 64)
      return decimal(text) ? 'match' : 'no match'
    }
    let weight = this.#weights.get(pattern)
    if (weight === undefined) {
      weight = patternWeight(pattern)
      this.spend(compileUnits(weight))
      this.#weights.set(pattern, weight)
    }
    this.spend(2)
    this.#remainingPatternCost -= text.length * (weight > maxLightWeight ? weight + automatonWeight : weight)
    if (this.#remainingPatternCost < 0) return 'too long'
    return this.#matches(pattern, text) ? 'match' : 'no match'
  }

  resolve(reference: unknown): JsonObject | undefined {
    if (!this.#references.has(reference))
      this.#references.set(reference, resolveReference(this.root, reference))
    return this.#references.get(reference)
  }

  /** The values of an enum. Scalars are in a set, so that looking one up is fast. */
  enumValuesOf(values: readonly unknown[]): { scalars: Set<unknown>; others: unknown[] } {
    let found = this.#enumValues.get(values)
    if (!found) {
      found = {
        scalars: new Set(values.filter(isScalarValue)),
        others: values.filter((value) => !isScalarValue(value)),
      }
      this.#enumValues.set(values, found)
    }
    return found
  }

  #plan(schema: JsonObject): [KeywordCheck, unknown][] {
    let plan = this.#plans.get(schema)
    if (!plan) {
      plan = []
      for (const keyword of Object.keys(schema)) {
        const check = keywordChecks.get(keyword)
        if (check) plan.push([check, schema[keyword]])
      }
      this.#plans.set(schema, plan)
    }
    return plan
  }
}
