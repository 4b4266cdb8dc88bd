/* Made of docs/openapi by: npx -y pnpm@12 generate */

export interface paths {
    "/api/v1/setup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether there is no administrator yet. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            isNeeded: boolean;
                        };
                    };
                };
            };
        };
        put?: never;
        /**
         * Make the first administrator, and sign in.
         * @description Needs the token that key-service logs at its start while there is no administrator.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description From the log; good for one use. */
                        token: string;
                        /**
                         * @description In upper or lower case.
                         * @example mara@example.com
                         */
                        email: string;
                        /** @description Any characters. One that many people use is refused. */
                        password: string;
                    };
                };
            };
            responses: {
                /** @description Created */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            administrator: {
                                id: string;
                                email: string;
                                /** @description `owner`: everything. `member`: the granted cellars and their keys. */
                                role: "owner" | "member";
                                /** @description The granted cellars of a member; null: all of them. */
                                cellars: string[] | null;
                            };
                            /**
                             * Format: date-time
                             * @description The session ends then, or earlier without requests.
                             * @example 2026-11-21T06:30:00.000Z
                             */
                            endsAt: string;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who is signed in, and what they may do. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            administrator: {
                                id: string;
                                email: string;
                                /** @description `owner`: everything. `member`: the granted cellars and their keys. */
                                role: "owner" | "member";
                                /** @description The granted cellars of a member; null: all of them. */
                                cellars: string[] | null;
                            };
                            /**
                             * Format: date-time
                             * @description The session ends then, or earlier without requests.
                             * @example 2026-11-21T06:30:00.000Z
                             */
                            endsAt: string;
                        };
                    };
                };
            };
        };
        put?: never;
        /**
         * Sign in.
         * @description The answer sets a cookie, which every other request of the management API needs.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @example admin@example.com */
                        email: string;
                        password: string;
                    };
                };
            };
            responses: {
                /** @description Created */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            administrator: {
                                id: string;
                                email: string;
                                /** @description `owner`: everything. `member`: the granted cellars and their keys. */
                                role: "owner" | "member";
                                /** @description The granted cellars of a member; null: all of them. */
                                cellars: string[] | null;
                            };
                            /**
                             * Format: date-time
                             * @description The session ends then, or earlier without requests.
                             * @example 2026-11-21T06:30:00.000Z
                             */
                            endsAt: string;
                        };
                    };
                };
            };
        };
        /**
         * Sign out.
         * @description Does nothing when nobody is signed in.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Nobody is signed in any more. */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/join/look-up": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Show an invitation to whoever has its token. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description What follows `#` in the link `/invitation#…`. */
                        token: string;
                    };
                };
            };
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            email: string;
                            /** @description `owner`: everything. `member`: the granted cellars and their keys. */
                            role: "owner" | "member";
                            /** @description The granted cellars of a member; null: all of them. */
                            cellars: string[] | null;
                            /**
                             * Format: date-time
                             * @example 2026-11-21T06:30:00.000Z
                             */
                            expiresAt: string;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/join": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Join: set a password, and sign in. It works once. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description What follows `#` in the link `/invitation#…`. */
                        token: string;
                        /** @description Any characters. One that many people use is refused. */
                        password: string;
                    };
                };
            };
            responses: {
                /** @description Created */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            administrator: {
                                id: string;
                                email: string;
                                /** @description `owner`: everything. `member`: the granted cellars and their keys. */
                                role: "owner" | "member";
                                /** @description The granted cellars of a member; null: all of them. */
                                cellars: string[] | null;
                            };
                            /**
                             * Format: date-time
                             * @description The session ends then, or earlier without requests.
                             * @example 2026-11-21T06:30:00.000Z
                             */
                            endsAt: string;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List where you are signed in, newest first. */
        get: {
            parameters: {
                query?: {
                    /** @description How many there are in a page. */
                    limit?: number;
                    /** @description The `nextCursor` of the page before, as it was. */
                    cursor?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            sessions: {
                                /**
                                 * Format: uuid
                                 * @description Names the session; it opens none.
                                 */
                                id: string;
                                /**
                                 * Format: date-time
                                 * @example 2026-11-21T06:30:00.000Z
                                 */
                                createdAt: string;
                                /**
                                 * Format: date-time
                                 * @description To a twentieth of the idle time.
                                 * @example 2026-11-21T06:30:00.000Z
                                 */
                                lastUsedAt: string;
                                /**
                                 * Format: date-time
                                 * @example 2026-11-21T06:30:00.000Z
                                 */
                                endsAt: string;
                                /** @description The network address it was opened from. */
                                address: string | null;
                                /** @description What the browser calls itself. */
                                userAgent: string | null;
                                /** @description Whether it is the one that asks. */
                                isCurrent: boolean;
                            }[];
                            /** @description Gives the next page; null: this is the last one. */
                            nextCursor: string | null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /** End all your sessions but this one. */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description How many have ended. */
                            ended: number;
                        };
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** End one of your sessions. */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Names the session; it opens none. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description It has ended. */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enter your password again, for requests that answer `password_required`.
         * @description It counts for five minutes, in this session only. A wrong one counts as an attempt to sign in.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        password: string;
                    };
                };
            };
            responses: {
                /** @description It is right. */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change your password. All your other sessions end.
         * @description The answer sets a new cookie, so that you stay signed in here.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        currentPassword: string;
                        /** @description Any characters. One that many people use is refused. */
                        newPassword: string;
                    };
                };
            };
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            administrator: {
                                id: string;
                                email: string;
                                /** @description `owner`: everything. `member`: the granted cellars and their keys. */
                                role: "owner" | "member";
                                /** @description The granted cellars of a member; null: all of them. */
                                cellars: string[] | null;
                            };
                            /**
                             * Format: date-time
                             * @description The session ends then, or earlier without requests.
                             * @example 2026-11-21T06:30:00.000Z
                             */
                            endsAt: string;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/administrators": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List everybody with an account, by address. */
        get: {
            parameters: {
                query?: {
                    /** @description How many there are in a page. */
                    limit?: number;
                    /** @description The `nextCursor` of the page before, as it was. */
                    cursor?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            administrators: {
                                /** Format: uuid */
                                id: string;
                                email: string;
                                /** @description `owner`: everything. `member`: the granted cellars and their keys. */
                                role: "owner" | "member";
                                /** @description The granted cellars of a member; null: all of them. */
                                cellars: string[] | null;
                                /**
                                 * Format: date-time
                                 * @example 2026-11-21T06:30:00.000Z
                                 */
                                createdAt: string;
                                /** @description null: they can sign in. */
                                disabledAt: string | null;
                            }[];
                            /** @description Gives the next page; null: this is the last one. */
                            nextCursor: string | null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/administrators/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change what somebody may do, or disable them.
         * @description What is left out stays. Whoever is disabled is signed out everywhere at once. The last owner stays one. `password_required`: to make an owner, confirm the password first.
         */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description `owner`: everything. `member`: the granted cellars and their keys. */
                        role?: "owner" | "member";
                        /** @description For a member only. */
                        cellars?: string[];
                        isDisabled?: boolean;
                        /** @description With `isDisabled`: also revokes the service tokens that they have created, and the API keys that they or these tokens have created. */
                        revokeCreated?: boolean;
                    };
                };
            };
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            id: string;
                            email: string;
                            /** @description `owner`: everything. `member`: the granted cellars and their keys. */
                            role: "owner" | "member";
                            /** @description The granted cellars of a member; null: all of them. */
                            cellars: string[] | null;
                            /**
                             * Format: date-time
                             * @example 2026-11-21T06:30:00.000Z
                             */
                            createdAt: string;
                            /** @description null: they can sign in. */
                            disabledAt: string | null;
                        };
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/v1/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List who has been invited and has not joined, by address. */
        get: {
            parameters: {
                query?: {
                    /** @description How many there are in a page. */
                    limit?: number;
                    /** @description The `nextCursor` of the page before, as it was. */
                    cursor?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            invitations: {
                                /** Format: uuid */
                                id: string;
                                email: string;
                                /** @description `owner`: everything. `member`: the granted cellars and their keys. */
                                role: "owner" | "member";
                                /** @description The granted cellars of a member; null: all of them. */
                                cellars: string[] | null;
                                /**
                                 * Format: date-time
                                 * @example 2026-11-21T06:30:00.000Z
                                 */
                                createdAt: string;
                                /** @description The address of the owner who invited them. */
                                createdBy: string;
                                /**
                                 * Format: date-time
                                 * @example 2026-11-21T06:30:00.000Z
                                 */
                                expiresAt: string;
                            }[];
                            /** @description Gives the next page; null: this is the last one. */
                            nextCursor: string | null;
                        };
                    };
                };
            };
        };
        put?: never;
        /**
         * Invite somebody. The answer is the only one that shows the token of the link.
         * @description The link is `/invitation#` and the token, on the address of the dashboard. Inviting somebody again replaces their link. `password_required`: to invite an owner, confirm the password first.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /**
                         * @description In upper or lower case.
                         * @example mara@example.com
                         */
                        email: string;
                        /** @description `owner`: everything. `member`: the granted cellars and their keys. */
                        role: "owner" | "member";
                        /** @description For a member only. */
                        cellars?: string[];
                    };
                };
            };
            responses: {
                /** @description Created */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            invitation: {
                                /** Format: uuid */
                                id: string;
                                email: string;
                                /** @description `owner`: everything. `member`: the granted cellars and their keys. */
                                role: "owner" | "member";
                                /** @description The granted cellars of a member; null: all of them. */
                                cellars: string[] | null;
                                /**
                                 * Format: date-time
                                 * @example 2026-11-21T06:30:00.000Z
                                 */
                                createdAt: string;
                                /** @description The address of the owner who invited them. */
                                createdBy: string;
                                /**
                                 * Format: date-time
                                 * @example 2026-11-21T06:30:00.000Z
                                 */
                                expiresAt: string;
                            };
                            /** @description What follows `#` in the link `/invitation#…`. */
                            token: string;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/invitations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Withdraw an invitation. Its link is worth nothing any more. */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description It is withdrawn. */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List service tokens, newest first. */
        get: {
            parameters: {
                query?: {
                    /** @description How many there are in a page. */
                    limit?: number;
                    /** @description The `nextCursor` of the page before, as it was. */
                    cursor?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            tokens: {
                                /** Format: uuid */
                                id: string;
                                /**
                                 * @description For people, and for the audit.
                                 * @example nightly provisioning
                                 */
                                name: string;
                                /**
                                 * @description The first characters of the token.
                                 * @example cmt_4fGh
                                 */
                                displayPrefix: string;
                                /** @description `owner`: everything. `member`: the granted cellars and their keys. */
                                role: "owner" | "member";
                                /** @description The granted cellars of a member; null: all of them. */
                                cellars: string[] | null;
                                /**
                                 * Format: date-time
                                 * @example 2026-11-21T06:30:00.000Z
                                 */
                                createdAt: string;
                                createdBy: string;
                                expiresAt: string | null;
                                revokedAt: string | null;
                                /** @description To about a minute. */
                                lastUsedAt: string | null;
                            }[];
                            /** @description Gives the next page; null: this is the last one. */
                            nextCursor: string | null;
                            /** @description How many days from now a new token may expire at the latest. null: it may live forever. */
                            maxDays: number | null;
                        };
                    };
                };
            };
        };
        put?: never;
        /**
         * Create a service token. The answer is the only one that shows it.
         * @description Scripts send it as `Authorization: Bearer cmt_…` in place of a cookie. It manages cellars and keys, never people or tokens. `password_required`: confirm the password first.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /**
                         * @description For people, and for the audit.
                         * @example nightly provisioning
                         */
                        name: string;
                        /** @description `owner`: everything. `member`: the granted cellars and their keys. */
                        role: "owner" | "member";
                        /** @description For a member only. */
                        cellars?: string[];
                        /** @description In the future by the clock of the database, and at most TOKEN_MAX_DAYS from now. Left out: in 90 days, or after TOKEN_MAX_DAYS if that is less. null: never, if TOKEN_MAX_DAYS is 0. */
                        expiresAt?: string | null;
                    };
                };
            };
            responses: {
                /** @description Created */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            token: {
                                /** Format: uuid */
                                id: string;
                                /**
                                 * @description For people, and for the audit.
                                 * @example nightly provisioning
                                 */
                                name: string;
                                /**
                                 * @description The first characters of the token.
                                 * @example cmt_4fGh
                                 */
                                displayPrefix: string;
                                /** @description `owner`: everything. `member`: the granted cellars and their keys. */
                                role: "owner" | "member";
                                /** @description The granted cellars of a member; null: all of them. */
                                cellars: string[] | null;
                                /**
                                 * Format: date-time
                                 * @example 2026-11-21T06:30:00.000Z
                                 */
                                createdAt: string;
                                createdBy: string;
                                expiresAt: string | null;
                                revokedAt: string | null;
                                /** @description To about a minute. */
                                lastUsedAt: string | null;
                            };
                            /** @description The token. It is shown this once and stored nowhere. */
                            secret: string;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tokens/{id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke a service token, for good.
         * @description Revoking it again changes nothing.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            id: string;
                            /**
                             * @description For people, and for the audit.
                             * @example nightly provisioning
                             */
                            name: string;
                            /**
                             * @description The first characters of the token.
                             * @example cmt_4fGh
                             */
                            displayPrefix: string;
                            /** @description `owner`: everything. `member`: the granted cellars and their keys. */
                            role: "owner" | "member";
                            /** @description The granted cellars of a member; null: all of them. */
                            cellars: string[] | null;
                            /**
                             * Format: date-time
                             * @example 2026-11-21T06:30:00.000Z
                             */
                            createdAt: string;
                            createdBy: string;
                            expiresAt: string | null;
                            revokedAt: string | null;
                            /** @description To about a minute. */
                            lastUsedAt: string | null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/cellars": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List cellars by name.
         * @description A member sees those that were granted.
         */
        get: {
            parameters: {
                query?: {
                    /** @description A part of the name, in upper or lower case. */
                    search?: string;
                    /** @description Only archived ones instead of the others. */
                    archived?: boolean;
                    /** @description How many there are in a page. */
                    limit?: number;
                    /** @description The `nextCursor` of the page before, as it was. */
                    cursor?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            cellars: {
                                /**
                                 * @description Identifier of the use case or project. Up to 64 letters, digits, dots, underscores and hyphens.
                                 * @example demo
                                 */
                                name: string;
                                /** @description For how many days, counted from its timestamp, a reading is kept. */
                                retentionDays: number;
                                /** @description For all keys of the cellar together. null: none, and each key has the default of ingest. */
                                rateLimit: {
                                    /** @description Readings per second. */
                                    perSecond: number;
                                    /** @description Readings at once. */
                                    burst: number;
                                } | null;
                                /** @description Keys that are neither expired nor revoked. */
                                activeKeys: number;
                                /**
                                 * Format: date-time
                                 * @example 2026-11-21T06:30:00.000Z
                                 */
                                createdAt: string;
                                createdBy: string | null;
                                archivedAt: string | null;
                            }[];
                            /** @description Gives the next page; null: this is the last one. */
                            nextCursor: string | null;
                        };
                    };
                };
            };
        };
        put?: never;
        /** Create a cellar. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /**
                         * @description Identifier of the use case or project. Up to 64 letters, digits, dots, underscores and hyphens.
                         * @example demo
                         */
                        name: string;
                        /** @description For how many days, counted from its timestamp, a reading is kept. */
                        retentionDays?: number;
                        rateLimit?: {
                            /** @description Readings per second. */
                            perSecond: number;
                            /** @description Readings at once. */
                            burst: number;
                        } | null;
                    };
                };
            };
            responses: {
                /** @description Created */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /**
                             * @description Identifier of the use case or project. Up to 64 letters, digits, dots, underscores and hyphens.
                             * @example demo
                             */
                            name: string;
                            /** @description For how many days, counted from its timestamp, a reading is kept. */
                            retentionDays: number;
                            /** @description For all keys of the cellar together. null: none, and each key has the default of ingest. */
                            rateLimit: {
                                /** @description Readings per second. */
                                perSecond: number;
                                /** @description Readings at once. */
                                burst: number;
                            } | null;
                            /** @description Keys that are neither expired nor revoked. */
                            activeKeys: number;
                            /**
                             * Format: date-time
                             * @example 2026-11-21T06:30:00.000Z
                             */
                            createdAt: string;
                            createdBy: string | null;
                            archivedAt: string | null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/cellars/{cellar}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a cellar. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /**
                     * @description Identifier of the use case or project. Up to 64 letters, digits, dots, underscores and hyphens.
                     * @example demo
                     */
                    cellar: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /**
                             * @description Identifier of the use case or project. Up to 64 letters, digits, dots, underscores and hyphens.
                             * @example demo
                             */
                            name: string;
                            /** @description For how many days, counted from its timestamp, a reading is kept. */
                            retentionDays: number;
                            /** @description For all keys of the cellar together. null: none, and each key has the default of ingest. */
                            rateLimit: {
                                /** @description Readings per second. */
                                perSecond: number;
                                /** @description Readings at once. */
                                burst: number;
                            } | null;
                            /** @description Keys that are neither expired nor revoked. */
                            activeKeys: number;
                            /**
                             * Format: date-time
                             * @example 2026-11-21T06:30:00.000Z
                             */
                            createdAt: string;
                            createdBy: string | null;
                            archivedAt: string | null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the settings of a cellar.
         * @description What is left out stays. A shorter retention hides older readings at once. A lower rate limit also binds keys whose own is higher.
         */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /**
                     * @description Identifier of the use case or project. Up to 64 letters, digits, dots, underscores and hyphens.
                     * @example demo
                     */
                    cellar: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description For how many days, counted from its timestamp, a reading is kept. */
                        retentionDays?: number;
                        rateLimit?: {
                            /** @description Readings per second. */
                            perSecond: number;
                            /** @description Readings at once. */
                            burst: number;
                        } | null;
                    };
                };
            };
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /**
                             * @description Identifier of the use case or project. Up to 64 letters, digits, dots, underscores and hyphens.
                             * @example demo
                             */
                            name: string;
                            /** @description For how many days, counted from its timestamp, a reading is kept. */
                            retentionDays: number;
                            /** @description For all keys of the cellar together. null: none, and each key has the default of ingest. */
                            rateLimit: {
                                /** @description Readings per second. */
                                perSecond: number;
                                /** @description Readings at once. */
                                burst: number;
                            } | null;
                            /** @description Keys that are neither expired nor revoked. */
                            activeKeys: number;
                            /**
                             * Format: date-time
                             * @example 2026-11-21T06:30:00.000Z
                             */
                            createdAt: string;
                            createdBy: string | null;
                            archivedAt: string | null;
                        };
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/v1/cellars/{cellar}/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Archive a cellar: its keys are revoked, its name stays taken.
         * @description Cannot be undone. Archiving it again changes nothing.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /**
                     * @description Identifier of the use case or project. Up to 64 letters, digits, dots, underscores and hyphens.
                     * @example demo
                     */
                    cellar: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /**
                             * @description Identifier of the use case or project. Up to 64 letters, digits, dots, underscores and hyphens.
                             * @example demo
                             */
                            name: string;
                            /** @description For how many days, counted from its timestamp, a reading is kept. */
                            retentionDays: number;
                            /** @description For all keys of the cellar together. null: none, and each key has the default of ingest. */
                            rateLimit: {
                                /** @description Readings per second. */
                                perSecond: number;
                                /** @description Readings at once. */
                                burst: number;
                            } | null;
                            /** @description Keys that are neither expired nor revoked. */
                            activeKeys: number;
                            /**
                             * Format: date-time
                             * @example 2026-11-21T06:30:00.000Z
                             */
                            createdAt: string;
                            createdBy: string | null;
                            archivedAt: string | null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/cellars/{cellar}/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the keys of a cellar. */
        get: {
            parameters: {
                query?: {
                    /** @description Only keys in this state. Left out: all. */
                    state?: "active" | "expired" | "revoked";
                    /** @description Only keys with this in their name, in upper or lower case, or whose `displayPrefix` begins with it. Never send a whole key here. */
                    search?: string;
                    sort?: "createdAt" | "lastUsedAt" | "expiresAt" | "name";
                    order?: "asc" | "desc";
                    /** @description How many there are in a page. */
                    limit?: number;
                    /** @description The `nextCursor` of the page before, as it was. */
                    cursor?: string;
                };
                header?: never;
                path: {
                    /**
                     * @description Identifier of the use case or project. Up to 64 letters, digits, dots, underscores and hyphens.
                     * @example demo
                     */
                    cellar: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            keys: {
                                /**
                                 * Format: uuid
                                 * @description Stands as `key_id` with each reading.
                                 */
                                id: string;
                                /**
                                 * @description Identifier of the use case or project. Up to 64 letters, digits, dots, underscores and hyphens.
                                 * @example demo
                                 */
                                cellar: string;
                                /**
                                 * @description For people. Several keys may have the same.
                                 * @example boiler house
                                 */
                                name: string;
                                /**
                                 * @description The first characters of the key.
                                 * @example cm_4fGh2
                                 */
                                displayPrefix: string;
                                /** @description By the clock of the database. Revoked is final. */
                                state: "active" | "expired" | "revoked";
                                /** @description The only rack that the key may send for. */
                                rack: string | null;
                                /** @description What the name of each of its racks begins with. Not together with `rack`. */
                                rackPrefix: string | null;
                                /** @description `ingest` sends readings, `read` reads them back. */
                                scopes: ("ingest" | "read")[];
                                /** @description As it was set. The lower of this and the rate limit of the cellar holds. null: that of the cellar. */
                                rateLimit: {
                                    /** @description Readings per second. */
                                    perSecond: number;
                                    /** @description Readings at once. */
                                    burst: number;
                                } | null;
                                /**
                                 * Format: date-time
                                 * @example 2026-11-21T06:30:00.000Z
                                 */
                                createdAt: string;
                                createdBy: string | null;
                                expiresAt: string | null;
                                revokedAt: string | null;
                                revokedBy: string | null;
                                /** @description To about a minute. */
                                lastUsedAt: string | null;
                                /** @description The key that this one takes over from. */
                                rotatedFrom: string | null;
                            }[];
                            /** @description Gives the next page; null: this is the last one. */
                            nextCursor: string | null;
                        };
                    };
                };
            };
        };
        put?: never;
        /** Create a key. The answer is the only one that shows it. */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Your name for this request. Sent again with the same one, it creates no second key: 409, and `Location` names the first. */
                    "idempotency-key"?: string;
                };
                path: {
                    /**
                     * @description Identifier of the use case or project. Up to 64 letters, digits, dots, underscores and hyphens.
                     * @example demo
                     */
                    cellar: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /**
                         * @description For people. Several keys may have the same.
                         * @example boiler house
                         */
                        name: string;
                        /** @description In the future by the clock of the database. null: never. */
                        expiresAt?: string | null;
                        /** @description The only rack that the key may send for. */
                        rack?: string | null;
                        /** @description What the name of each of its racks begins with. Not together with `rack`. */
                        rackPrefix?: string | null;
                        /**
                         * @description `ingest` sends readings, `read` reads them back.
                         * @default [
                         *       "ingest"
                         *     ]
                         */
                        scopes?: ("ingest" | "read")[];
                        /** @description At most that of the cellar. In a cellar without a rate limit only owners may set one. null: that of the cellar. */
                        rateLimit?: {
                            /** @description Readings per second. */
                            perSecond: number;
                            /** @description Readings at once. */
                            burst: number;
                        } | null;
                    };
                };
            };
            responses: {
                /** @description Created */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            key: {
                                /**
                                 * Format: uuid
                                 * @description Stands as `key_id` with each reading.
                                 */
                                id: string;
                                /**
                                 * @description Identifier of the use case or project. Up to 64 letters, digits, dots, underscores and hyphens.
                                 * @example demo
                                 */
                                cellar: string;
                                /**
                                 * @description For people. Several keys may have the same.
                                 * @example boiler house
                                 */
                                name: string;
                                /**
                                 * @description The first characters of the key.
                                 * @example cm_4fGh2
                                 */
                                displayPrefix: string;
                                /** @description By the clock of the database. Revoked is final. */
                                state: "active" | "expired" | "revoked";
                                /** @description The only rack that the key may send for. */
                                rack: string | null;
                                /** @description What the name of each of its racks begins with. Not together with `rack`. */
                                rackPrefix: string | null;
                                /** @description `ingest` sends readings, `read` reads them back. */
                                scopes: ("ingest" | "read")[];
                                /** @description As it was set. The lower of this and the rate limit of the cellar holds. null: that of the cellar. */
                                rateLimit: {
                                    /** @description Readings per second. */
                                    perSecond: number;
                                    /** @description Readings at once. */
                                    burst: number;
                                } | null;
                                /**
                                 * Format: date-time
                                 * @example 2026-11-21T06:30:00.000Z
                                 */
                                createdAt: string;
                                createdBy: string | null;
                                expiresAt: string | null;
                                revokedAt: string | null;
                                revokedBy: string | null;
                                /** @description To about a minute. */
                                lastUsedAt: string | null;
                                /** @description The key that this one takes over from. */
                                rotatedFrom: string | null;
                            };
                            /** @description The API key. It is shown this once and stored nowhere. */
                            secret: string;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/cellars/{cellar}/keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a key. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /**
                     * @description Identifier of the use case or project. Up to 64 letters, digits, dots, underscores and hyphens.
                     * @example demo
                     */
                    cellar: string;
                    /** @description Stands as `key_id` with each reading. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /**
                             * Format: uuid
                             * @description Stands as `key_id` with each reading.
                             */
                            id: string;
                            /**
                             * @description Identifier of the use case or project. Up to 64 letters, digits, dots, underscores and hyphens.
                             * @example demo
                             */
                            cellar: string;
                            /**
                             * @description For people. Several keys may have the same.
                             * @example boiler house
                             */
                            name: string;
                            /**
                             * @description The first characters of the key.
                             * @example cm_4fGh2
                             */
                            displayPrefix: string;
                            /** @description By the clock of the database. Revoked is final. */
                            state: "active" | "expired" | "revoked";
                            /** @description The only rack that the key may send for. */
                            rack: string | null;
                            /** @description What the name of each of its racks begins with. Not together with `rack`. */
                            rackPrefix: string | null;
                            /** @description `ingest` sends readings, `read` reads them back. */
                            scopes: ("ingest" | "read")[];
                            /** @description As it was set. The lower of this and the rate limit of the cellar holds. null: that of the cellar. */
                            rateLimit: {
                                /** @description Readings per second. */
                                perSecond: number;
                                /** @description Readings at once. */
                                burst: number;
                            } | null;
                            /**
                             * Format: date-time
                             * @example 2026-11-21T06:30:00.000Z
                             */
                            createdAt: string;
                            createdBy: string | null;
                            expiresAt: string | null;
                            revokedAt: string | null;
                            revokedBy: string | null;
                            /** @description To about a minute. */
                            lastUsedAt: string | null;
                            /** @description The key that this one takes over from. */
                            rotatedFrom: string | null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the name, the expiry or the rate limit of a key.
         * @description What is left out stays. An expired key may be given a later expiry; a revoked one stays revoked.
         */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /**
                     * @description Identifier of the use case or project. Up to 64 letters, digits, dots, underscores and hyphens.
                     * @example demo
                     */
                    cellar: string;
                    /** @description Stands as `key_id` with each reading. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /**
                         * @description For people. Several keys may have the same.
                         * @example boiler house
                         */
                        name?: string;
                        /** @description In the future by the clock of the database. null: never. */
                        expiresAt?: string | null;
                        /** @description At most that of the cellar. In a cellar without a rate limit only owners may set one. null: that of the cellar. */
                        rateLimit?: {
                            /** @description Readings per second. */
                            perSecond: number;
                            /** @description Readings at once. */
                            burst: number;
                        } | null;
                    };
                };
            };
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /**
                             * Format: uuid
                             * @description Stands as `key_id` with each reading.
                             */
                            id: string;
                            /**
                             * @description Identifier of the use case or project. Up to 64 letters, digits, dots, underscores and hyphens.
                             * @example demo
                             */
                            cellar: string;
                            /**
                             * @description For people. Several keys may have the same.
                             * @example boiler house
                             */
                            name: string;
                            /**
                             * @description The first characters of the key.
                             * @example cm_4fGh2
                             */
                            displayPrefix: string;
                            /** @description By the clock of the database. Revoked is final. */
                            state: "active" | "expired" | "revoked";
                            /** @description The only rack that the key may send for. */
                            rack: string | null;
                            /** @description What the name of each of its racks begins with. Not together with `rack`. */
                            rackPrefix: string | null;
                            /** @description `ingest` sends readings, `read` reads them back. */
                            scopes: ("ingest" | "read")[];
                            /** @description As it was set. The lower of this and the rate limit of the cellar holds. null: that of the cellar. */
                            rateLimit: {
                                /** @description Readings per second. */
                                perSecond: number;
                                /** @description Readings at once. */
                                burst: number;
                            } | null;
                            /**
                             * Format: date-time
                             * @example 2026-11-21T06:30:00.000Z
                             */
                            createdAt: string;
                            createdBy: string | null;
                            expiresAt: string | null;
                            revokedAt: string | null;
                            revokedBy: string | null;
                            /** @description To about a minute. */
                            lastUsedAt: string | null;
                            /** @description The key that this one takes over from. */
                            rotatedFrom: string | null;
                        };
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/v1/cellars/{cellar}/keys/{id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke a key, for good.
         * @description Revoking it again changes nothing.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /**
                     * @description Identifier of the use case or project. Up to 64 letters, digits, dots, underscores and hyphens.
                     * @example demo
                     */
                    cellar: string;
                    /** @description Stands as `key_id` with each reading. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /**
                             * Format: uuid
                             * @description Stands as `key_id` with each reading.
                             */
                            id: string;
                            /**
                             * @description Identifier of the use case or project. Up to 64 letters, digits, dots, underscores and hyphens.
                             * @example demo
                             */
                            cellar: string;
                            /**
                             * @description For people. Several keys may have the same.
                             * @example boiler house
                             */
                            name: string;
                            /**
                             * @description The first characters of the key.
                             * @example cm_4fGh2
                             */
                            displayPrefix: string;
                            /** @description By the clock of the database. Revoked is final. */
                            state: "active" | "expired" | "revoked";
                            /** @description The only rack that the key may send for. */
                            rack: string | null;
                            /** @description What the name of each of its racks begins with. Not together with `rack`. */
                            rackPrefix: string | null;
                            /** @description `ingest` sends readings, `read` reads them back. */
                            scopes: ("ingest" | "read")[];
                            /** @description As it was set. The lower of this and the rate limit of the cellar holds. null: that of the cellar. */
                            rateLimit: {
                                /** @description Readings per second. */
                                perSecond: number;
                                /** @description Readings at once. */
                                burst: number;
                            } | null;
                            /**
                             * Format: date-time
                             * @example 2026-11-21T06:30:00.000Z
                             */
                            createdAt: string;
                            createdBy: string | null;
                            expiresAt: string | null;
                            revokedAt: string | null;
                            revokedBy: string | null;
                            /** @description To about a minute. */
                            lastUsedAt: string | null;
                            /** @description The key that this one takes over from. */
                            rotatedFrom: string | null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/cellars/{cellar}/keys/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make a new key with the same settings; the old one expires after an overlap. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /**
                     * @description Identifier of the use case or project. Up to 64 letters, digits, dots, underscores and hyphens.
                     * @example demo
                     */
                    cellar: string;
                    /** @description Stands as `key_id` with each reading. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description How long the old key goes on, but never longer than until its own expiry. */
                        overlapSeconds: number;
                        /** @description The expiry of the new key. Left out: that of the old one. */
                        expiresAt?: string | null;
                    };
                };
            };
            responses: {
                /** @description Created */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            key: {
                                /**
                                 * Format: uuid
                                 * @description Stands as `key_id` with each reading.
                                 */
                                id: string;
                                /**
                                 * @description Identifier of the use case or project. Up to 64 letters, digits, dots, underscores and hyphens.
                                 * @example demo
                                 */
                                cellar: string;
                                /**
                                 * @description For people. Several keys may have the same.
                                 * @example boiler house
                                 */
                                name: string;
                                /**
                                 * @description The first characters of the key.
                                 * @example cm_4fGh2
                                 */
                                displayPrefix: string;
                                /** @description By the clock of the database. Revoked is final. */
                                state: "active" | "expired" | "revoked";
                                /** @description The only rack that the key may send for. */
                                rack: string | null;
                                /** @description What the name of each of its racks begins with. Not together with `rack`. */
                                rackPrefix: string | null;
                                /** @description `ingest` sends readings, `read` reads them back. */
                                scopes: ("ingest" | "read")[];
                                /** @description As it was set. The lower of this and the rate limit of the cellar holds. null: that of the cellar. */
                                rateLimit: {
                                    /** @description Readings per second. */
                                    perSecond: number;
                                    /** @description Readings at once. */
                                    burst: number;
                                } | null;
                                /**
                                 * Format: date-time
                                 * @example 2026-11-21T06:30:00.000Z
                                 */
                                createdAt: string;
                                createdBy: string | null;
                                expiresAt: string | null;
                                revokedAt: string | null;
                                revokedBy: string | null;
                                /** @description To about a minute. */
                                lastUsedAt: string | null;
                                /** @description The key that this one takes over from. */
                                rotatedFrom: string | null;
                            };
                            /** @description The API key. It is shown this once and stored nowhere. */
                            secret: string;
                            replaced: {
                                /**
                                 * Format: uuid
                                 * @description Stands as `key_id` with each reading.
                                 */
                                id: string;
                                /**
                                 * @description Identifier of the use case or project. Up to 64 letters, digits, dots, underscores and hyphens.
                                 * @example demo
                                 */
                                cellar: string;
                                /**
                                 * @description For people. Several keys may have the same.
                                 * @example boiler house
                                 */
                                name: string;
                                /**
                                 * @description The first characters of the key.
                                 * @example cm_4fGh2
                                 */
                                displayPrefix: string;
                                /** @description By the clock of the database. Revoked is final. */
                                state: "active" | "expired" | "revoked";
                                /** @description The only rack that the key may send for. */
                                rack: string | null;
                                /** @description What the name of each of its racks begins with. Not together with `rack`. */
                                rackPrefix: string | null;
                                /** @description `ingest` sends readings, `read` reads them back. */
                                scopes: ("ingest" | "read")[];
                                /** @description As it was set. The lower of this and the rate limit of the cellar holds. null: that of the cellar. */
                                rateLimit: {
                                    /** @description Readings per second. */
                                    perSecond: number;
                                    /** @description Readings at once. */
                                    burst: number;
                                } | null;
                                /**
                                 * Format: date-time
                                 * @example 2026-11-21T06:30:00.000Z
                                 */
                                createdAt: string;
                                createdBy: string | null;
                                expiresAt: string | null;
                                revokedAt: string | null;
                                revokedBy: string | null;
                                /** @description To about a minute. */
                                lastUsedAt: string | null;
                                /** @description The key that this one takes over from. */
                                rotatedFrom: string | null;
                            };
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The audit of everything. */
        get: {
            parameters: {
                query?: {
                    /**
                     * @description Only what was done under this name.
                     * @example key.revoked
                     */
                    action?: string;
                    /** @description Only by those whose address or name has this in it, in upper or lower case. */
                    actor?: string;
                    /** @description How many there are in a page. */
                    limit?: number;
                    /** @description The `nextCursor` of the page before, as it was. */
                    cursor?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            entries: {
                                /** @description Rises with each entry. */
                                id: string;
                                /**
                                 * Format: date-time
                                 * @example 2026-11-21T06:30:00.000Z
                                 */
                                at: string;
                                /** @description Who did it: the address of the administrator, or the name of the service token, at that time. */
                                actor: string;
                                /** @description A person, a service token, or the service itself. */
                                actorType: "administrator" | "token" | "service";
                                /** @description The network address it came from. */
                                address: string | null;
                                /**
                                 * @example key.created
                                 * @example key.revoked
                                 * @example cellar.changed
                                 */
                                action: string;
                                cellar: string | null;
                                keyId: string | null;
                                /** @description What it was about; differs by action. */
                                details: {
                                    [key: string]: unknown;
                                };
                            }[];
                            /** @description Gives the next page; null: this is the last one. */
                            nextCursor: string | null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/cellars/{cellar}/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The audit of a cellar and its keys. */
        get: {
            parameters: {
                query?: {
                    /**
                     * @description Only what was done under this name.
                     * @example key.revoked
                     */
                    action?: string;
                    /** @description Only by those whose address or name has this in it, in upper or lower case. */
                    actor?: string;
                    /** @description How many there are in a page. */
                    limit?: number;
                    /** @description The `nextCursor` of the page before, as it was. */
                    cursor?: string;
                };
                header?: never;
                path: {
                    /**
                     * @description Identifier of the use case or project. Up to 64 letters, digits, dots, underscores and hyphens.
                     * @example demo
                     */
                    cellar: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            entries: {
                                /** @description Rises with each entry. */
                                id: string;
                                /**
                                 * Format: date-time
                                 * @example 2026-11-21T06:30:00.000Z
                                 */
                                at: string;
                                /** @description Who did it: the address of the administrator, or the name of the service token, at that time. */
                                actor: string;
                                /** @description A person, a service token, or the service itself. */
                                actorType: "administrator" | "token" | "service";
                                /** @description The network address it came from. */
                                address: string | null;
                                /**
                                 * @example key.created
                                 * @example key.revoked
                                 * @example cellar.changed
                                 */
                                action: string;
                                cellar: string | null;
                                keyId: string | null;
                                /** @description What it was about; differs by action. */
                                details: {
                                    [key: string]: unknown;
                                };
                            }[];
                            /** @description Gives the next page; null: this is the last one. */
                            nextCursor: string | null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/audit.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The audit of everything, as a file.
         * @description CSV with a header, newest first, at most 100,000 entries. What a spreadsheet would take for a formula begins with an apostrophe.
         */
        get: {
            parameters: {
                query?: {
                    /**
                     * @description Only what was done under this name.
                     * @example key.revoked
                     */
                    action?: string;
                    /** @description Only by those whose address or name has this in it, in upper or lower case. */
                    actor?: string;
                    /**
                     * @description From this time on.
                     * @example 2026-11-21T06:30:00.000Z
                     */
                    from?: string;
                    /**
                     * @description Until before this time.
                     * @example 2026-11-21T06:30:00.000Z
                     */
                    to?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description id, at, actor, actorType, address, action, cellar, keyId, details */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/csv": string;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/cellars/{cellar}/audit.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The audit of a cellar and its keys, as a file.
         * @description CSV with a header, newest first, at most 100,000 entries. What a spreadsheet would take for a formula begins with an apostrophe.
         */
        get: {
            parameters: {
                query?: {
                    /**
                     * @description Only what was done under this name.
                     * @example key.revoked
                     */
                    action?: string;
                    /** @description Only by those whose address or name has this in it, in upper or lower case. */
                    actor?: string;
                    /**
                     * @description From this time on.
                     * @example 2026-11-21T06:30:00.000Z
                     */
                    from?: string;
                    /**
                     * @description Until before this time.
                     * @example 2026-11-21T06:30:00.000Z
                     */
                    to?: string;
                };
                header?: never;
                path: {
                    /**
                     * @description Identifier of the use case or project. Up to 64 letters, digits, dots, underscores and hyphens.
                     * @example demo
                     */
                    cellar: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description id, at, actor, actorType, address, action, cellar, keyId, details */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/csv": string;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/cellars/{cellar}/refusals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What was refused, by key, code and field, the last first.
         * @description About two seconds behind. Only refusals of keys that exist are here: the others belong to no cellar.
         */
        get: {
            parameters: {
                query?: {
                    /** @description How many hours to look back. Refusals are kept for 192 hours. */
                    hours?: number;
                    limit?: number;
                };
                header?: never;
                path: {
                    /**
                     * @description Identifier of the use case or project. Up to 64 letters, digits, dots, underscores and hyphens.
                     * @example demo
                     */
                    cellar: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            refusals: {
                                /** @description A code of the error catalogue, or `key_expired` or `key_revoked`. */
                                code: string;
                                /** @description The field of the reading that was wrong, where it was one. */
                                field: null | "cellar" | "rack" | "keg" | "value" | "timestamp";
                                count: number;
                                /**
                                 * Format: date-time
                                 * @example 2026-11-21T06:30:00.000Z
                                 */
                                lastAt: string;
                                /** @description Of the last of them, where the reading was good enough to tell. */
                                rack: string | null;
                                key: {
                                    id: string;
                                    name: string;
                                    displayPrefix: string;
                                };
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/cellars/{cellar}/refusals/counts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How many were refused, by code and time. */
        get: {
            parameters: {
                query?: {
                    /** @description How many hours to look back. Refusals are kept for 192 hours. */
                    hours?: number;
                    /** @description Seconds that a bucket takes: 60, 300, 900, 3600, 10800, 21600, 86400. */
                    step?: 60 | 300 | 900 | 3600 | 10800 | 21600 | 86400;
                };
                header?: never;
                path: {
                    /**
                     * @description Identifier of the use case or project. Up to 64 letters, digits, dots, underscores and hyphens.
                     * @example demo
                     */
                    cellar: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            step: number;
                            buckets: {
                                /**
                                 * Format: date-time
                                 * @description The begin of the bucket.
                                 * @example 2026-11-21T06:30:00.000Z
                                 */
                                at: string;
                                /** @description A code of the error catalogue, or `key_expired` or `key_revoked`. */
                                code: string;
                                refused: number;
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/addresses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Where devices send their readings. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /**
                             * @description What stands before `/api/v1/ingest`. null: it has not been configured.
                             * @example https://ingest.example.com
                             */
                            ingestUrl: string | null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: never;
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
