import { pathTo } from '../violation.ts'
import { isObject, type JsonObject } from './json.ts'

/** A location in an answer. There is one object per location, so that results can be cached by it. */
export class Location {
  readonly value: unknown
  readonly #parent: Location | undefined
  readonly #step: string | number
  #children: Map<string | number, Location> | undefined
  #fieldNamesAsValues: Map<string, Location> | undefined
  #codePointCount: number | undefined
  #isBlank: boolean | undefined
  #fieldNames: string[] | undefined

  constructor(value: unknown, parent?: Location, step: string | number = '') {
    this.value = value
    this.#parent = parent
    this.#step = step
  }

  get path(): string {
    return this.#parent ? pathTo(this.#parent.path, this.#step) : ''
  }

  /** The location of a field or an item, whether or not the answer contains it. */
  child(step: string | number): Location {
    this.#children ??= new Map()
    let child = this.#children.get(step)
    if (!child) {
      const value = Array.isArray(this.value) ? this.value[Number(step)] : (this.value as JsonObject)[step]
      child = new Location(value, this, step)
      this.#children.set(step, child)
    }
    return child
  }

  /** The name of a field as a value, at the location of the field. */
  fieldNameAsValue(name: string): Location {
    this.#fieldNamesAsValues ??= new Map()
    let found = this.#fieldNamesAsValues.get(name)
    if (!found) {
      found = new Location(name, this, name)
      this.#fieldNamesAsValues.set(name, found)
    }
    return found
  }

  /** Names of the fields; empty if the value is not an object. */
  get fieldNames(): readonly string[] {
    this.#fieldNames ??= isObject(this.value) ? Object.keys(this.value) : []
    return this.#fieldNames
  }

  has(name: string): boolean {
    return isObject(this.value) && Object.hasOwn(this.value, name)
  }

  /** Length of a text in code points, as JSON Schema defines it. */
  get codePointCount(): number {
    if (this.#codePointCount === undefined) {
      this.#codePointCount = 0
      for (const _ of this.value as string) this.#codePointCount++
    }
    return this.#codePointCount
  }

  get isBlank(): boolean {
    this.#isBlank ??= typeof this.value === 'string' && !/[^\s\p{Cc}\p{Cf}]/u.test(this.value)
    return this.#isBlank
  }
}
