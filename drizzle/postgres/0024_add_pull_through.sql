CREATE TABLE "upstream_looks" (
	"key" text COLLATE "C" PRIMARY KEY NOT NULL,
	"holder" text COLLATE "C",
	"until" timestamp (3) with time zone NOT NULL,
	"problem" jsonb
);
--> statement-breakpoint
ALTER TABLE "transfers" ADD COLUMN "wanted_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "transfers" ADD COLUMN "proven" boolean;--> statement-breakpoint
CREATE INDEX "upstream_looks_until" ON "upstream_looks" USING btree ("until");