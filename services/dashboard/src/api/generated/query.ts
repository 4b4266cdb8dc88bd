/* Made of docs/openapi by: npx -y pnpm@12 generate */

export interface paths {
    "/api/v1/query/cellars": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What arrives in each cellar.
         * @description Cellars without readings are missing. For people only: an API key has one cellar.
         */
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
                            cellars: {
                                /**
                                 * @description Identifier of the use case or project. Up to 64 letters, digits, dots, underscores and hyphens.
                                 * @example demo
                                 */
                                cellar: string;
                                /** @description Readings that were received in the last hour. */
                                readingsLastHour: number;
                                /** @description When the last reading was received. null: there is none. */
                                lastReadingAt: string | null;
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
    "/api/v1/query/cellars/{cellar}/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What arrives in a cellar. */
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
                             * Format: date-time
                             * @example 2026-11-21T06:30:00.000Z
                             */
                            now: string;
                            /** @description Readings that were received in the last minute. */
                            readingsLastMinute: number;
                            /** @description Readings that were received in the last hour. */
                            readingsLastHour: number;
                            /** @description When the last reading was received. null: there is none. */
                            lastReadingAt: string | null;
                            /** @description Racks whose readings were received in the last hour. */
                            racksLastHour: number;
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
    "/api/v1/query/cellars/{cellar}/counts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How many readings were received, by time.
         * @description Counted by the time of receipt; a reading that came several times counts once, where it came first. Buckets without readings are missing.
         */
        get: {
            parameters: {
                query?: {
                    /**
                     * @description The bucket with this time is the first. Without it: an hour before `to`.
                     * @example 2026-11-21T06:30:00Z
                     */
                    from?: string;
                    /**
                     * @description Readings before this time. Without it: now.
                     * @example 2026-11-21T06:30:00Z
                     */
                    to?: string;
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
                                readings: number;
                                /** @description false: more may still come. */
                                isComplete: boolean;
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
    "/api/v1/query/cellars/{cellar}/racks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The racks of a cellar. */
        get: {
            parameters: {
                query?: {
                    /** @description A part of the name, in upper or lower case. */
                    search?: string;
                    /** @description Only racks that were last seen longer ago. */
                    silentForSeconds?: number;
                    sort?: "rack" | "lastSeenAt" | "readingsLastHour";
                    order?: "asc" | "desc";
                    /** @description How many there are in a page. */
                    limit?: number;
                    /** @description What the page before gave, as it was. */
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
                            racks: {
                                rack: string;
                                /**
                                 * Format: date-time
                                 * @description When the last reading of it was received.
                                 * @example 2026-11-21T06:30:00.000Z
                                 */
                                lastSeenAt: string;
                                /** @description Readings of it that were received in the last hour. */
                                readingsLastHour: number;
                                /** @description How many kegs it has. */
                                kegs: number;
                            }[];
                            /** @description The cursor of the next page; null: this is the last one. */
                            next: string | null;
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
    "/api/v1/query/cellars/{cellar}/latest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The latest value of each series.
         * @description A series is a keg of a rack. The latest is the one with the greatest timestamp.
         */
        get: {
            parameters: {
                query?: {
                    /**
                     * @description Name of the device that sends.
                     * @example boiler-house-2
                     */
                    rack?: string;
                    /**
                     * @description Name of the sensor or metric.
                     * @example temperature
                     */
                    keg?: string;
                    /** @description How many there are in a page. */
                    limit?: number;
                    /** @description What the page before gave, as it was. */
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
                            series: {
                                rack: string;
                                keg: string;
                                /**
                                 * Format: date-time
                                 * @example 2026-11-21T06:30:00.000Z
                                 */
                                timestamp: string;
                                value: number;
                                /**
                                 * Format: date-time
                                 * @example 2026-11-21T06:30:00.000Z
                                 */
                                receivedAt: string;
                            }[];
                            /** @description The cursor of the next page; null: this is the last one. */
                            next: string | null;
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
    "/api/v1/query/cellars/{cellar}/series": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A series in steps, for a chart.
         * @description Steps without readings are missing.
         */
        get: {
            parameters: {
                query: {
                    /**
                     * @description Name of the device that sends.
                     * @example boiler-house-2
                     */
                    rack: string;
                    /**
                     * @description Name of the sensor or metric.
                     * @example temperature
                     */
                    keg: string;
                    /**
                     * @description Readings with this timestamp or a later one. Without it: a day before `to`.
                     * @example 2026-11-21T06:30:00Z
                     */
                    from?: string;
                    /**
                     * @description Readings with an earlier timestamp. Without it: now.
                     * @example 2026-11-21T06:30:00Z
                     */
                    to?: string;
                    /** @description No more points than this. The step that fits is chosen. */
                    points?: number;
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
                            /** @description Seconds that a point stands for. */
                            step: number;
                            points: {
                                /**
                                 * Format: date-time
                                 * @description The begin of the step.
                                 * @example 2026-11-21T06:30:00.000Z
                                 */
                                at: string;
                                avg: number;
                                min: number;
                                max: number;
                                /** @description The value with the greatest timestamp. */
                                last: number;
                                count: number;
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
    "/api/v1/query/cellars/{cellar}/readings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Readings of a range.
         * @description Ordered by rack, keg, timestamp and value. Pages stay right while readings arrive: a page goes on behind the last reading of the page before. As NDJSON and CSV they are streamed, and the header `Link` with `rel="next"` leads to the next page. An answer that breaks off has failed: ask again.
         */
        get: {
            parameters: {
                query?: {
                    /**
                     * @description Name of the device that sends.
                     * @example boiler-house-2
                     */
                    rack?: string;
                    /**
                     * @description Name of the sensor or metric.
                     * @example temperature
                     */
                    keg?: string;
                    /**
                     * @description Readings with this timestamp or a later one.
                     * @example 2026-11-21T06:30:00Z
                     */
                    from?: string;
                    /**
                     * @description Readings with an earlier timestamp.
                     * @example 2026-11-21T06:30:00Z
                     */
                    to?: string;
                    /** @description The other way round only for one series, with `rack` and `keg`. */
                    order?: "asc" | "desc";
                    /** @description Instead of the header `Accept`. `csv-safe` puts an apostrophe before what a spreadsheet would run as a formula in the names of racks and kegs, `csv-plain` leaves them as they are; `csv` is the former for people who are signed in, and the latter for API keys. */
                    format?: "json" | "ndjson" | "csv" | "csv-safe" | "csv-plain";
                    /** @description How many there are in a page. */
                    limit?: number;
                    /** @description What the page before gave, as it was. */
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
                /** @description As JSON 10000 in a page at most, otherwise 1000000, and what arrives among them meanwhile. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            readings: {
                                rack: string;
                                keg: string;
                                /**
                                 * Format: date-time
                                 * @description With nine digits of a second.
                                 * @example 2026-11-21T06:30:00.000Z
                                 */
                                timestamp: string;
                                value: number;
                                /**
                                 * Format: date-time
                                 * @example 2026-11-21T06:30:00.000Z
                                 */
                                receivedAt: string;
                            }[];
                            /** @description The cursor of the next page; null: this is the last one. */
                            next: string | null;
                        };
                        "application/x-ndjson": string;
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
