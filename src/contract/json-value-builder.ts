type Container = unknown[] | Record<string, unknown>

/** Builds the value that JSON.parse would return, from parts in the order of the text. */
export class ValueBuilder {
  /** The outermost value. */
  value: unknown
  readonly #containers: Container[] = []

  /** The key is undefined for the outermost value. */
  add(key: string | number | undefined, value: unknown): void {
    const container = this.#containers.at(-1)
    if (!container) this.value = value
    else if (Array.isArray(container)) container.push(value)
    // An assignment would set the prototype.
    else if (key === '__proto__')
      Object.defineProperty(container, key, { value, writable: true, enumerable: true, configurable: true })
    else container[key!] = value
  }

  open(key: string | number | undefined, container: Container): void {
    this.add(key, container)
    this.#containers.push(container)
  }

  close(): void {
    this.#containers.pop()
  }
}
