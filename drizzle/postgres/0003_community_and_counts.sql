CREATE TABLE "collection_items" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"collection_id" text COLLATE "C" NOT NULL,
	"repo_id" text COLLATE "C" NOT NULL,
	"note" text COLLATE "C",
	"position" integer NOT NULL,
	"added_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "collections" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"namespace_id" text COLLATE "C" NOT NULL,
	"title" text COLLATE "C" NOT NULL,
	"description" text COLLATE "C",
	"visibility" text NOT NULL,
	"theme" text,
	"position" integer NOT NULL,
	"created_by" text COLLATE "C",
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "repo_downloads" (
	"repo_id" text COLLATE "C" NOT NULL,
	"day" text COLLATE "C" NOT NULL,
	"downloads" integer NOT NULL,
	"bytes" bigint NOT NULL,
	CONSTRAINT "repo_downloads_repo_id_day_pk" PRIMARY KEY("repo_id","day")
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"webhook_id" text COLLATE "C" NOT NULL,
	"event" text COLLATE "C" NOT NULL,
	"subject" jsonb NOT NULL,
	"status" text NOT NULL,
	"attempts" integer NOT NULL,
	"next_attempt_at" timestamp (3) with time zone,
	"request" jsonb,
	"response" jsonb,
	"error" text COLLATE "C",
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhook_watches" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"webhook_id" text COLLATE "C" NOT NULL,
	"namespace_id" text COLLATE "C",
	"repo_id" text COLLATE "C"
);
--> statement-breakpoint
CREATE TABLE "webhooks" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"user_id" text COLLATE "C" NOT NULL,
	"url" text COLLATE "C" NOT NULL,
	"events" jsonb NOT NULL,
	"secret" text COLLATE "C",
	"secret_header" boolean NOT NULL,
	"active" boolean NOT NULL,
	"failing_since" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "namespaces" ADD COLUMN "quota_bytes" bigint;--> statement-breakpoint
ALTER TABLE "repos" ADD COLUMN "disabled_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "repos" ADD COLUMN "disabled_reason" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "repos" ADD COLUMN "downloads_30d" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "repos" ADD COLUMN "downloads_total" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "repos" ADD COLUMN "trending" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "collection_items" ADD CONSTRAINT "collection_items_collection_id_collections_id_fk" FOREIGN KEY ("collection_id") REFERENCES "public"."collections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "collection_items" ADD CONSTRAINT "collection_items_repo_id_repos_id_fk" FOREIGN KEY ("repo_id") REFERENCES "public"."repos"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "repo_downloads" ADD CONSTRAINT "repo_downloads_repo_id_repos_id_fk" FOREIGN KEY ("repo_id") REFERENCES "public"."repos"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_webhook_id_webhooks_id_fk" FOREIGN KEY ("webhook_id") REFERENCES "public"."webhooks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_watches" ADD CONSTRAINT "webhook_watches_webhook_id_webhooks_id_fk" FOREIGN KEY ("webhook_id") REFERENCES "public"."webhooks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_watches" ADD CONSTRAINT "webhook_watches_namespace_id_namespaces_id_fk" FOREIGN KEY ("namespace_id") REFERENCES "public"."namespaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_watches" ADD CONSTRAINT "webhook_watches_repo_id_repos_id_fk" FOREIGN KEY ("repo_id") REFERENCES "public"."repos"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "collection_items_repo" ON "collection_items" USING btree ("collection_id","repo_id");--> statement-breakpoint
CREATE INDEX "collection_items_of_repo" ON "collection_items" USING btree ("repo_id");--> statement-breakpoint
CREATE INDEX "collections_namespace" ON "collections" USING btree ("namespace_id","position");--> statement-breakpoint
CREATE INDEX "collections_updated" ON "collections" USING btree ("updated_at","id");--> statement-breakpoint
CREATE INDEX "repo_downloads_day" ON "repo_downloads" USING btree ("day");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_webhook" ON "webhook_deliveries" USING btree ("webhook_id","id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_created" ON "webhook_deliveries" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "webhook_watches_webhook" ON "webhook_watches" USING btree ("webhook_id");--> statement-breakpoint
CREATE INDEX "webhook_watches_namespace" ON "webhook_watches" USING btree ("namespace_id");--> statement-breakpoint
CREATE INDEX "webhook_watches_repo" ON "webhook_watches" USING btree ("repo_id");--> statement-breakpoint
CREATE INDEX "webhooks_user" ON "webhooks" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "repos_trending" ON "repos" USING btree ("type","trending","id");