export const scalarTypes: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean', 'null'])
export const allTypes: ReadonlySet<unknown> = new Set([...scalarTypes, 'array', 'object'])
