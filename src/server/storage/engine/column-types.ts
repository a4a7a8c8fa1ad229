import type { ColumnType } from 'kysely'

// `json` columns are written as text and read as parsed values, in the original key order.

export type Json<T = unknown> = ColumnType<T, string, string>
export type NullableJson<T = unknown> = ColumnType<T | null, string | null, string | null>
export type WithDefault<T> = ColumnType<T, T | undefined, T>
