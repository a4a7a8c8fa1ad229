/**
 * The same value, with every look at it counted: a member read, asked for or listed. Counts are the same on every
 * machine, and see work that a step budget forgot.
 */
export function counted<T>(value: T): { value: T; looks(): number } {
  let looks = 0
  const known = new WeakMap<object, object>()
  const wrap = (inner: unknown): unknown => {
    if (typeof inner !== 'object' || inner === null) return inner
    let wrapped = known.get(inner)
    if (!wrapped) {
      wrapped = new Proxy(inner, {
        get(target, key) {
          looks++
          return wrap(Reflect.get(target, key))
        },
        has(target, key) {
          looks++
          return Reflect.has(target, key)
        },
        getOwnPropertyDescriptor(target, key) {
          looks++
          return Reflect.getOwnPropertyDescriptor(target, key)
        },
        ownKeys(target) {
          const keys = Reflect.ownKeys(target)
          looks += keys.length
          return keys
        },
      })
      known.set(inner, wrapped)
    }
    return wrapped
  }
  return { value: wrap(value) as T, looks: () => looks }
}
