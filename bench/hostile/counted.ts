/**
 * A proxy of the value that counts reads: of a property, of whether it exists, of its descriptor,
 * and of each listed key. Counts are the same on every machine, and include work that the
 * budget of a form does not count.
 */
export function counted<T>(value: T): { value: T; reads(): number } {
  let reads = 0
  const known = new WeakMap<object, object>()
  const wrap = (inner: unknown): unknown => {
    if (typeof inner !== 'object' || inner === null) return inner
    let wrapped = known.get(inner)
    if (!wrapped) {
      wrapped = new Proxy(inner, {
        get(target, key) {
          reads++
          return wrap(Reflect.get(target, key))
        },
        has(target, key) {
          reads++
          return Reflect.has(target, key)
        },
        getOwnPropertyDescriptor(target, key) {
          reads++
          return Reflect.getOwnPropertyDescriptor(target, key)
        },
        ownKeys(target) {
          const keys = Reflect.ownKeys(target)
          reads += keys.length
          return keys
        },
      })
      known.set(inner, wrapped)
    }
    return wrapped
  }
  return { value: wrap(value) as T, reads: () => reads }
}
