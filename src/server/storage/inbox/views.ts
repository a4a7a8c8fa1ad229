import type { View } from '../../../contract/view.ts'
import type { Transaction } from '../engine/database.ts'

/** Passed as `userId` for the views that everybody in the workspace shares. */
export const everybody = ''

export async function findViews(tx: Transaction, userId: string): Promise<View[]> {
  const found = await tx.db
    .selectFrom('views')
    .select('views')
    .where('workspaceId', '=', tx.workspaceId)
    .where('userId', '=', userId)
    .executeTakeFirst()
  return found?.views ?? []
}

export async function replaceViews(tx: Transaction, userId: string, list: View[]): Promise<void> {
  const views = JSON.stringify(list)
  await tx.db
    .insertInto('views')
    .values({ workspaceId: tx.workspaceId, userId, views })
    .onConflict((conflict) => conflict.columns(['workspaceId', 'userId']).doUpdateSet({ views }))
    .execute()
}
