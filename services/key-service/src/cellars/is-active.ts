/** Whether a row of `api_keys` is active, as SQL. Served by the index `api_keys_active`. */
export const IS_ACTIVE = `revoked_at IS NULL AND coalesce(expires_at, 'infinity') > now()`;
